import type { DraftPlan, DraftWork } from '../../schemas/draft-answer.ts';
import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { Seed } from '../../schemas/seed.ts';
import type { AuthoredDraft } from '../../schemas/seed-pack.ts';
import type { Ledger } from '../context.ts';
import { hardPathProblem } from '../contract/paths.ts';
import { matchesAny } from '../environments/glob.ts';
import { applyEdits } from '../solve/apply-edits.ts';
import { bytesOf } from '../solve/changes.ts';
import { changeTree, entriesByPath, keepFile, readTree } from '../trees/trees.ts';
import { planned } from './check-plan.ts';
import { isRunnable } from './test-files.ts';

/** Most bytes that gold and tests of one draft may hold. */
const MOST_BYTES = 1 << 20;

type Facts = {
  readonly id: string;
  readonly base: string;
  /** The tree of `base`. */
  readonly tree: string;
  readonly seeds: readonly Seed[];
  readonly spec: EnvironmentSpec;
};
type Part = AuthoredDraft['parts'][number];
type File = AuthoredDraft['tests']['files'][number];

/** A drafter's two answers as a draft like those of packs, or what is wrong with them, a line each. */
export function composeDraft(
  { plan, work }: { readonly plan: DraftPlan; readonly work: DraftWork },
  { id, base, tree, seeds, spec }: Facts,
  ledger: Ledger,
): AuthoredDraft | { readonly problems: readonly string[] } {
  const { parts, problems } = layParts(work, { tree, spec }, ledger);
  const all = [...sizeProblem(work), ...problems, ...testProblems(work, { tree, spec }, ledger)];
  if (all.length > 0) return { problems: all };
  const files = work.tests.flatMap(({ file, text }): File[] => {
    const bytes = bytesOf(text);
    return bytes === null ? [] : [{ path: file, sha256: ledger.put(bytes) }];
  });
  return {
    id,
    base,
    requirements: [...planned(plan, seeds)],
    couplings: plan.couplings.map((coupling) => ({ ...coupling })),
    parts: [...parts],
    tests: { files, traces: work.traces.map((trace) => ({ ...trace })) },
    solos: [],
    probes: [],
    variants: [],
    regions: [],
  };
}

type On = { readonly tree: string; readonly spec: EnvironmentSpec };

/** Each part on what the parts before it left, as whole files. */
function layParts(
  work: DraftWork,
  { tree, spec }: On,
  ledger: Ledger,
): { readonly parts: readonly Part[]; readonly problems: readonly string[] } {
  const parts: Part[] = [];
  let before = tree;
  for (const [index, { needs, ...proposal }] of work.parts.entries()) {
    const id = partId(needs, index, parts);
    const changes = applyEdits(entriesByPath(readTree(ledger, before)), proposal, ledger);
    if ('ok' in changes) return { parts, problems: [`part ${id}: ${changes.detail}`] };
    const tests = [...changes.keys()].filter((path) => matchesAny(path, spec.testFiles));
    if (changes.size === 0 || tests.length > 0)
      return {
        parts,
        problems: [
          `part ${id} ${tests.length > 0 ? `changes the test file ${tests[0]}` : 'changes nothing'}`,
        ],
      };
    const kept = [...changes].flatMap(([path, bytes]) =>
      bytes === null ? [] : [keepFile(ledger, path, bytes)],
    );
    const removed = [...changes].flatMap(([path, bytes]) => (bytes === null ? [path] : []));
    const files = kept.map(({ path, sha256 }) => ({ path, sha256 }));
    parts.push({ id, needs: [...needs], files, delete: removed });
    before = changeTree(ledger, before, kept, removed);
  }
  return { parts, problems: [] };
}

/** `g1` for R1, `g12` for R1 and R2; a number behind it where that is taken. */
function partId(needs: readonly string[], index: number, parts: readonly Part[]): string {
  const id = `g${needs.map((name) => name.replace(/^R/, '')).join('')}`;
  return parts.some((part) => part.id === id) ? `${id}-${index + 1}` : id;
}

function sizeProblem({ parts, tests }: DraftWork): string[] {
  const texts = [
    ...parts.flatMap(({ edits, create }) => [
      ...edits.map(({ replace }) => replace),
      ...create.map(({ text }) => text),
    ]),
    ...tests.map(({ text }) => text),
  ];
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  return bytes <= MOST_BYTES ? [] : [`the draft has ${bytes} characters, at most ${MOST_BYTES}`];
}

function testProblems({ tests }: DraftWork, { tree, spec }: On, ledger: Ledger): string[] {
  const present = entriesByPath(readTree(ledger, tree));
  const names = tests.map(({ file }) => file);
  return tests.flatMap(({ file, text }, at) => [
    ...(hardPathProblem(file) === null ? [] : [`the test file "${file}" breaks the path rules`]),
    ...(isRunnable(file, spec)
      ? []
      : [
          `the runner does not find the test file ${file}; it looks at ${spec.testFiles.join(', ')}`,
        ]),
    ...(present.has(file) ? [`the test file ${file} is in the repository already`] : []),
    ...(names.indexOf(file) === at ? [] : [`the test file ${file} is given twice`]),
    ...(bytesOf(text) === null ? [`the test file ${file} is not valid Unicode`] : []),
  ]);
}
