import type { BenchRow } from '../../schemas/bench-row.ts';
import type { MatrixRow } from '../../schemas/instance.ts';
import type { PatchBytes, ReleaseInput } from '../../schemas/release-input.ts';
import type { Requirement } from '../../schemas/requirement.ts';
import { checkedLevel } from '../contract/assurance.ts';
import { canonicalJson, digestOf, sha256 } from '../contract/canonical-json.ts';
import { authoritySha, withoutGrammar } from '../contract/conforms.ts';
import { alignmentOf } from './alignment.ts';
import { bundleSha, graderBundle, lockText, pinnedEnv } from './bundle.ts';
import type { ExportOptions } from './exporter.ts';
import { CONTRACT_TEST, failToPass, passToPass, rewardGroups } from './groups.ts';
import { environmentDockerfile } from './image.ts';
import { panelOf } from './panel.ts';
import { evalScript } from './scripts.ts';
import { byText } from './text.ts';

/** The text of a patch; `rowRejections` has refused the others before. */
const textOfPatch = (patch: PatchBytes | null): string =>
  patch !== null && 'text' in patch ? patch.text : '';

const digestPart = (image: string | undefined) => image?.split('@')[1] ?? null;

function requirementRow({ patches }: ReleaseInput, { id, title, clauses }: Requirement) {
  // A part that several requirements need belongs to none of them alone; it is in `patch`.
  const own = patches.parts.filter(({ needs }) => needs.length === 1 && needs[0] === id);
  const gold = own.map(({ text }) => text).join('');
  const quotes = clauses.flatMap((clause) => clause.quotes);
  return {
    id,
    text: title,
    clauses: clauses.map((clause) => ({ id: clause.id, text: clause.text })),
    seeds: quotes.map(({ seed, quote }) => ({
      seed_id: seed,
      quote,
      url: null,
      sha256: sha256(quote),
    })),
    gold_patch: gold,
    gold_sha256: sha256(gold),
  };
}

const directed = new Set(['requires', 'overrides', 'orders']);

const couplingRows = ({ instance }: ReleaseInput): BenchRow['couplings'] =>
  instance.couplings.map((coupling) => ({
    id: `${coupling.from}-${coupling.to}-${coupling.kind}`,
    from: coupling.from,
    to: coupling.to,
    directed: directed.has(coupling.kind),
    kind: coupling.kind,
    level: coupling.level,
    text: coupling.text,
    evidence: coupling.evidence,
    tests: coupling.tests,
    proof_sha256: digestOf(coupling),
  }));

/** Gold ran as often as the instance was repeated, every other subset once, and what could not be composed never. */
function runsOf({ subset, run }: MatrixRow, { task, instance }: ReleaseInput): number {
  if (run === null) return 0;
  const isGold = task.requirements.every(({ id }) => subset.includes(id));
  return isGold ? instance.repeats : 1;
}

const matrixRows = (input: ReleaseInput): BenchRow['matrix'] =>
  input.instance.matrix.flatMap((row) =>
    row.cells.map(({ group, verdict, passed, total }) => ({
      applied: row.subset,
      group,
      verdict,
      passed,
      total,
      runs: runsOf(row, input),
    })),
  );

function groupRows({ instance }: ReleaseInput): BenchRow['test_groups'] {
  const groups = rewardGroups(instance).map(({ name, kind, key, refs, ids }) => ({
    name,
    kind,
    reward_key: key,
    refs: [...refs],
    fail_to_pass: kind === 'regression' ? [] : [...ids],
    pass_to_pass: kind === 'regression' ? [...ids] : [],
  }));
  const contract = {
    name: 'contract',
    kind: 'contract',
    reward_key: 'conforms',
    refs: [],
  } as const;
  return [...groups, { ...contract, refs: [], fail_to_pass: [], pass_to_pass: [CONTRACT_TEST] }];
}

function contractRow(input: ReleaseInput): BenchRow['contract'] {
  const { contract } = input.task;
  return {
    // JSON is YAML; the canonical form is the text that the hash is of.
    yaml: `${canonicalJson(contract)}\n`,
    contract_sha256: digestOf(contract),
    authority_sha256: authoritySha(contract),
    base_manifest: contract.base.manifest,
    lock_sha256: sha256(lockText(input)),
    level: checkedLevel(withoutGrammar(contract)),
    interface: contract.interface,
  };
}

function environmentRow(input: ReleaseInput, { images }: ExportOptions): BenchRow['environment'] {
  const { spec, digest, tools } = input.environment;
  const image = images[input.task.id];
  const env = Object.entries({ ...pinnedEnv, ...spec.env });
  return {
    image_digest: digestPart(image?.environment),
    verifier_image_digest: digestPart(image?.verifier),
    platform: 'linux',
    runtime: tools.map(({ name, version }) => `${name} ${version}`).join(', '),
    environment_sha256: digest,
    dockerfile_sha256: sha256(environmentDockerfile(input)),
    env: env
      .map(([name, value]) => ({ name, value }))
      .toSorted((left, right) => byText(left.name, right.name)),
    network: 'none',
  };
}

function provenanceRow(input: ReleaseInput, options: ExportOptions): BenchRow['provenance'] {
  const { task, source, calls } = input;
  const docs = task.requirements
    .flatMap(({ clauses }) => clauses.flatMap(({ quotes }) => quotes))
    .map(({ doc }) => doc);
  const models = calls.map(({ role, model, entrant }) => `${role}\n${model ?? entrant}`);
  return {
    source_url: source.url,
    source_commit: task.base.commit,
    stratum: task.mode === 'history' ? 'historical' : 'controlled',
    threads: [...new Set(docs)].toSorted(byText).map((doc) => ({
      doc,
      url: null,
      kind: doc.split(':')[0] ?? doc,
      sha256: null,
    })),
    generator: 'codespecweave',
    generator_version: options.generatorVersion,
    protocol_sha256: null,
    models: [...new Set(models)].toSorted(byText).map((pair) => {
      const [role = '', model = ''] = pair.split('\n');
      return { role, model };
    }),
    seeds: task.seeds,
  };
}

function evidenceRows({ instance }: ReleaseInput): BenchRow['audit']['evidence'] {
  return instance.matrix.flatMap(({ name, run }) =>
    run === null ? [] : [{ name: `matrix ${name}`, sha256: run }],
  );
}

const lineageRows = ({ kept }: ReleaseInput): BenchRow['lineage'] =>
  kept.lineage.map(({ revision, parent, content, cause, edited, verdicts }) => ({
    revision,
    parent_sha256: parent,
    content_sha256: content,
    cause,
    edited,
    verdict_ids: verdicts,
  }));

const dialects = {
  typescript: 'ts',
  javascript: 'js',
  python: 'python',
  go: 'go',
  rust: 'rust',
  java: 'java',
} as const;

/** The columns that SWE-bench's own harness reads, and the few that every row of ours carries beside them. */
export function classicColumns(input: ReleaseInput, options: ExportOptions) {
  const { task, patches, source, environment, instance } = input;
  const image = options.images[task.id]?.environment ?? null;
  return {
    instance_id: task.id,
    repo: `${options.org}/${source.name}`,
    version: String(task.revision),
    base_commit: task.base.commit,
    environment_setup_commit: task.base.commit,
    created_at: task.base.createdAt,
    problem_statement: task.statement,
    hints_text: '',
    patch: textOfPatch(patches.gold),
    test_patch: textOfPatch(patches.test),
    base_patch: textOfPatch(patches.base),
    FAIL_TO_PASS: failToPass(instance),
    PASS_TO_PASS: passToPass(instance),
    image,
    eval_script: evalScript(graderBundle(input, options)),
    log_parser: 'parse_log_jest_json' as const,
    eval_type: 'pass_and_fail' as const,
    language: dialects[environment.spec.language],
  };
}
/** One row, complete but for the hash of `audit.jsonl`, which is of all rows. */
export function benchRow(input: ReleaseInput, options: ExportOptions, auditSha: string): BenchRow {
  const { task, source, instance } = input;
  const classic = classicColumns(input, options);
  const content = {
    schema: 'csw-bench/1' as const,
    task_id: task.id,
    revision: task.revision,
    ...classic,
    image_name: classic.image,
    install_config: { test_cmd: 'bash eval.sh', log_parser: classic.log_parser },
    requirements: task.requirements.map((requirement) => requirementRow(input, requirement)),
    couplings: couplingRows(input),
    matrix: matrixRows(input),
    test_groups: groupRows(input),
    contract: contractRow(input),
    alignment: alignmentOf(input),
    environment: environmentRow(input, options),
    provenance: provenanceRow(input, options),
    license: source.licence,
    license_files: source.licenceFiles,
    canary: null,
    lineage: lineageRows(input),
  };
  const audit = {
    content_sha256: digestOf(content),
    grader_sha256: bundleSha(graderBundle(input, options)),
    gold_tree_sha256: instance.goldTree,
    ledger_head: options.ledgerHead,
    audit_jsonl_sha256: auditSha,
    evidence: evidenceRows(input),
  };
  const split = { split: options.split, split_key: sha256(`split\n${source.name}`), withheld: [] };
  return { ...content, panel: panelOf(input), ...split, audit };
}
