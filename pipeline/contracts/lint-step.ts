import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import { lintWarnings } from '../../stages/contract/lint-warnings.ts';
import { profileOf } from '../../stages/contract/profiles/registry.ts';
import { utf8 } from '../../stages/contract/text.ts';
import { runControls } from '../../stages/controller/controls.ts';
import type { Proposal } from '../../stages/solve/proposal.ts';
import { openStepBuilder, type World } from './build-step.ts';
import { judgeTree } from './check-step.ts';
import { lintStep, type Step } from './load-step.ts';
import { fromPatch } from './reference.ts';

const finding = (code: string, detail: string, path: string | null = null): Reason => ({
  code: `contract.${code}`,
  path,
  at: null,
  detail,
});

type Reference = {
  readonly tree: string;
  /** Paths at which it differs from the base. */
  readonly paths: readonly string[];
  readonly findings: readonly Reason[];
};

/** A reference that breaks the contract would make the task unsolvable. */
async function referenceOf(step: Step, patch: string): Promise<Reference> {
  const found = await fromPatch(patch, step.base, step.blobs);
  const tree = step.blobs.tree(found);
  const [before, after] = [step.blobs.entries(step.base), step.blobs.entries(tree)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path)?.sha256 !== after.get(path)?.sha256,
  );
  const { reasons } = judgeTree(step, tree, []);
  const findings = reasons.map(({ code, path, at, detail }) => ({
    ...finding('reference-failed', `${code}: ${detail}`, path),
    at,
  }));
  return { tree, paths, findings };
}

const failing = new Set(['failed', 'error']);
const unstarted = /^build\.(?:timeout|resource|report-|tree-)/u;

/** The base must fail, and for the reason that the contract declares: tests that ran and failed, not a build that did not start. */
function baseFindings({ contract }: Step, { status, results, reasons }: ContractBuild): Reason[] {
  if (status === 'true') return [finding('baseline-passes', 'the base builds as it is')];
  const declared =
    typeof contract.build === 'object' ? (contract.build.expect.fail_to_pass ?? []) : [];
  const statuses = new Map(results.map(({ id, status: one }) => [id, one]));
  const other = declared.filter((id) => !failing.has(statuses.get(id) ?? 'absent'));
  const [first] = reasons;
  if (declared.length === 0)
    return reasons.some(({ code }) => unstarted.test(code))
      ? [finding('baseline-reason', `${first?.code}: ${first?.detail}`)]
      : [];
  return other.map((id) =>
    finding(
      'baseline-reason',
      `"${id}" is ${statuses.get(id) ?? 'absent'} on the base, expected failed (${first?.code}: ${first?.detail})`,
    ),
  );
}

/** The reference as edits that replace whole files; null where a file is no text, or its mode alone changed. */
function asProposal({ base, blobs }: Step, { tree, paths }: Reference): Proposal | null {
  const [before, after] = [blobs.entries(base), blobs.entries(tree)];
  const value = {
    edits: [] as { file: string; find: string; replace: string }[],
    create: [] as { file: string; text: string }[],
    delete: [] as string[],
  };
  for (const file of paths) {
    const [was, is] = [before.get(file), after.get(file)];
    const [find, text] = [was, is].map((one) =>
      one?.kind === 'file' || one?.kind === 'exec' ? utf8(blobs.get(one.sha256)) : null,
    );
    if (is === undefined) value.delete.push(file);
    else if (typeof text !== 'string') return null;
    else if (was === undefined) value.create.push({ file, text });
    else if (typeof find !== 'string' || find === '') return null;
    else value.edits.push({ file, find, replace: text });
  }
  return { kind: 'edits', value };
}

const controlled = new Set(['typescript', 'python', 'rocq', 'isabelle', 'lean4']);

/** With a build: the base must fail for its reason, the reference must pass, the three controls must come out in their class. */
async function buildFindings(step: Step, reference: Reference | null, world: World) {
  const { contract, base, blobs, parse } = step;
  const builder = await openStepBuilder(step, world);
  const before = baseFindings(step, await builder.build({ contract, tree: base }, world.signal));
  if (reference === null || before.length > 0) return before;
  const built = await builder.build({ contract, tree: reference.tree }, world.signal);
  if (built.status !== 'true')
    return built.reasons.map(({ code, path, detail }) =>
      finding('reference-failed', `${code}: ${detail}`, path),
    );
  const proposal = asProposal(step, reference);
  const [first] = contract.editable;
  if (proposal === null || first === undefined) return [];
  if (!controlled.has(profileOf(first.file, first.profile).name)) return [];
  const controls = await runControls(
    { contract, base, reference: proposal },
    { builder, ledger: blobs, parse, signal: world.signal },
  );
  return controls
    .filter(({ expected, outcome }) => expected !== outcome)
    .map(({ name, expected, outcome }) =>
      finding('control-failed', `${name}: expected ${expected}, got ${outcome}`),
    );
}

type Linted = { readonly findings: readonly Reason[]; readonly warnings: readonly Reason[] };

/**
 * Everything that is wrong with a contract on its base, and what is only told. `patch`: a known right change; `world`: where to
 * build, null for no build. What needs a sound contract is left out where it is unsound. Source: contracts.md 2.4.
 */
export async function lintAll(
  step: Step,
  patch: string | undefined,
  world: World | null,
): Promise<Linted> {
  const { contract, base, blobs, parse } = step;
  const warnings = (paths: readonly string[] | null) =>
    lintWarnings(contract, base, blobs.get, parse, paths);
  const findings = lintStep(step);
  if (findings.length > 0) return { findings, warnings: warnings(null) };
  const reference = patch === undefined ? null : await referenceOf(step, patch);
  const broken = reference?.findings ?? [];
  const built =
    world === null || broken.length > 0 ? [] : await buildFindings(step, reference, world);
  return { findings: [...broken, ...built], warnings: warnings(reference?.paths ?? null) };
}
