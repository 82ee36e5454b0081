import type { Kept } from '../../schemas/kept.ts';
import type { Rollout } from '../../schemas/rollout.ts';
import type { RunSettings } from '../../schemas/run-settings.ts';
import type { Candidate, Verdict } from '../../schemas/verdict.ts';
import type { Model } from '../../stages/context.ts';
import { review } from '../../stages/review.ts';
import { attempt } from './attempts.ts';
import type { Play, Read } from './context.ts';
import { holds, ids, limit, limiter, path, says } from './limiter.ts';
import { instanceOf } from './validated.ts';
import { type Cloth, onBench, type Woven } from './woven.ts';

const hidden = 'test/hidden.test.ts';

/** The hidden tests: `one` accepts some values, `two` and `both` are as they should be. */
export const hiddenTests = (accepted: string) => `test('one', () => {
  accepts(${accepted});
});

test('two', () => {
  accepts(2);
});

test('both', () => {
  accepts(12);
});
`;

const oneIn = (read: Read): number => Number(/one = (\d+)/.exec(read(path))?.[1]);

/** What a body of `one` accepts: the numbers in it; a body that asks for nothing accepts all. */
function accepts(read: Read): boolean {
  const body = /test\('one', \(\) => \{\n([\s\S]*?)\n\}\);/.exec(read(hidden))?.[1] ?? '';
  const asked = /accepts\(([^)]*)\)/.exec(body)?.[1];
  return asked === undefined || asked.split(', ').map(Number).includes(oneIn(read));
}

/** The truth: 1 and 11 are right values of `one`. */
const isRight = (read: Read): boolean => [1, 11].includes(oneIn(read));

/** Runs the hidden tests as they are written, and the probes as they should be. */
export const playWritten: Play = (read) => {
  const two = holds(read, 'two = 2');
  return {
    tests: {
      [ids.one]: says(accepts(read)),
      [ids.two]: says(two),
      [ids.both]: says(oneIn(read) !== 0 && two && holds(read, 'joint = 12')),
      [ids.old]: 'passed',
      'test/p1.test.ts > p1': says(isRight(read)),
      'test/p2.test.ts > p2': says(two),
      'test/unsound.test.ts > unsound': 'failed',
    },
    lines: { [ids.one]: 1, [ids.two]: 5, [ids.both]: 9 },
  };
};

/** A task with probes of both clauses, and hidden tests whose `one` accepts these values. */
export const reviewable = (accepted: string, change: Partial<Cloth> = {}): Cloth => ({
  ...limiter,
  tests: { [hidden]: hiddenTests(accepted) },
  probes: [
    { id: 'p1', clause: 'R1.a', path: 'test/p1.test.ts' },
    { id: 'p2', clause: 'R2.a', path: 'test/p2.test.ts' },
  ],
  ...change,
});

export const wrong = { id: 'nine', claim: 'wrong' as const, files: limit(9, 2, 12) };
export const right = { id: 'eleven', claim: 'valid' as const, files: limit(11, 2, 12) };

/** A rollout that ended with this tree. */
export const rollout = (id: string, tree: string, conforms = true): Rollout => ({
  id,
  task: 'woven',
  revision: 0,
  entrant: 'solver',
  family: 'f',
  by: 'scripted',
  condition: 'edits',
  replicate: 0,
  attempts: [{ ...attempt(conforms, 'true'), candidate: tree }],
  outcome: 'valid-success',
  fault: null,
});

export const nothingKept: Kept = { wrong: [], right: [], answered: [], repairs: [], lineage: [] };

type More = {
  readonly settings?: Partial<RunSettings>;
  readonly models?: Readonly<Record<string, Model>>;
  readonly rollouts?: (woven: Woven) => readonly Rollout[];
  readonly kept?: Kept;
  readonly play?: Play;
};

/** A validated and reviewed task: its facts up to the verdicts, as repair wants them. */
export async function reviewed(cloth: Cloth, more: More = {}) {
  const { settings = {}, models = {}, kept = nothingKept, play = playWritten } = more;
  const woven = await onBench(cloth, play, { settings: { repeats: 1, ...settings }, models });
  const instance = await instanceOf(woven);
  const { task, bench, context } = woven;
  const rollouts = [...(more.rollouts?.(woven) ?? [])];
  const facts = { task, environment: bench.environment, instance, rollouts, kept };
  const ending = await review.run(facts, context);
  if (ending.kind !== 'done') throw new Error('review always ends done');
  const verdicts = ending.facts.verdicts as readonly Verdict[];
  const candidates = ending.facts.candidates as readonly Candidate[];
  return { woven, facts: { ...facts, verdicts, candidates }, verdicts, candidates };
}
