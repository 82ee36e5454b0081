import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../pipeline/ledger/open.ts';
import { withLedgerRuns } from '../../../pipeline/ledger/with-ledger-runs.ts';
import type { Instance } from '../../../schemas/instance.ts';
import type { TestRunRequest } from '../../../schemas/test-run.ts';
import { validate } from '../../../stages/validate.ts';
import type { Play } from '../../support/context.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { ids, limiter, says } from '../../support/limiter.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { factsOf, onBench } from '../../support/woven.ts';

const hidden = 'test/hidden.test.ts';
const text = (values: readonly number[]) => ({
  'src/limit.ts': values.map((value, at) => `const v${at + 1} = ${value};\n\n//\n//\n`).join('\n'),
});
const cloth = {
  ...limiter,
  base: { ...limiter.base, ...text([0, 0, 0]) },
  parts: [
    { needs: ['R1'], files: text([1, 0, 0]) },
    { needs: ['R2'], files: text([1, 1, 0]) },
    { needs: ['R3'], files: text([1, 1, 1]) },
  ],
  couplings: [],
};
const needs = { a: [1], b: [2], c: [3], ab: [1, 2], bc: [2, 3] };
const play: Play = (read) => {
  const has = (at: number) => read('src/limit.ts').includes(`v${at} = 1;`);
  const tests = Object.entries(needs).map(
    ([name, list]) => [`${hidden} > ${name}`, says(list.every(has))] as const,
  );
  return { tests: { ...Object.fromEntries(tests), [ids.old]: 'passed' } };
};
const settings = { mutantsPerPart: 2 };

/** The task, proved with a ledger that remembers runs; `again`: what a second process on it runs. */
async function proved(mode: 'history' | 'forward') {
  const woven = await onBench(cloth, play, { settings });
  const facts = { ...factsOf(woven), task: { ...woven.task, mode } };
  const ledger = openLedger({ folder: tempFolder(), mode: 'write', clock: fakeClock() });
  onTestFinished(() => ledger.close());
  const prove = async () => {
    const runs = withLedgerRuns(woven.context.runs, { ledger, record: null });
    const ending = await validate.run(facts, { ...woven.context, runs });
    if (ending.kind === 'rejected') throw new Error(ending.rejection.detail);
    return ending.facts.instance as Instance;
  };
  const instance = await prove();
  const made = [...woven.requests];
  const again = async () => {
    await prove();
    return woven.requests.slice(made.length);
  };
  return { instance, made, again };
}

/** What each run asks of its tree, a file at a time. Fresh repeats of gold are asked for on purpose and differ. */
const asked = (requests: readonly TestRunRequest[]): readonly string[] =>
  requests.flatMap(({ environment: _, files, ...request }) =>
    files.map((file) => JSON.stringify({ ...request, file })),
  );

test('three requirements need eight trees, and no group runs twice on one of them but on gold', async () => {
  const { instance, made } = await proved('forward');
  const trees = instance.matrix.map(({ tree }) => tree);
  expect(new Set(trees).size).toBe(8);
  const lattice = made.filter(({ tree }) => trees.includes(tree) && tree !== instance.goldTree);
  expect(asked(lattice).toSorted()).toEqual([...new Set(asked(lattice))].toSorted());
  expect(lattice.filter(({ files }) => files.includes(hidden))).toHaveLength(7);
  const others = new Set(made.map(({ tree }) => tree).filter((tree) => !trees.includes(tree)));
  // Gold with probes, and gold with a protected line, which a control grades.
  expect(others.size).toBe(instance.mutants.length + 2);
});

test('what the screen of a draft from history ran is found again behind the other gates', async () => {
  const { instance, made } = await proved('history');
  const keys = made.map(({ environment: _, ...request }) => JSON.stringify(request));
  expect(keys).toEqual([...new Set(keys)]);
  const singles = instance.matrix.filter(({ subset }) => subset.length === 1);
  for (const { tree } of singles)
    expect(made.filter((request) => request.tree === tree)).toHaveLength(1);
});

test('a second process on the same ledger runs nothing again', async () => {
  const { again } = await proved('history');
  expect(await again()).toEqual([]);
});
