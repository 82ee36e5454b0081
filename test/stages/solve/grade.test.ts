import { expect, test } from 'vitest';
import { gradeCandidate } from '../../../stages/solve/grade.ts';
import { keepFiles } from '../../support/contract-case.ts';
import { goldFiles, honest, type Judge, solveBench } from '../../support/solve-bench.ts';

/** The judge on the control, something else on the candidate. */
const onCandidate =
  (judge: Judge): Judge =>
  (source, request) =>
    source.includes('a - b') ? honest(source, request) : judge(source, request);

async function grade(judge: Judge) {
  const bench = solveBench(judge);
  return gradeCandidate({ ...bench, candidate: bench.instance.goldTree });
}

test('gold passes with every expected id, counted by group', async () => {
  expect(await grade(honest)).toMatchObject({
    status: 'true',
    reason: null,
    groups: [
      { group: 'T_1', passed: 1, total: 1 },
      { group: 'P', passed: 1, total: 1 },
    ],
  });
});

const good = { 'add > adds': 'passed', 'same > same': 'passed' } as const;

test.each<[string, ReturnType<Judge>, string]>([
  ['an id is missing', { statuses: { 'same > same': 'passed' } }, 'build.id-missing: add > adds'],
  [
    'an id failed',
    { statuses: { ...good, 'add > adds': 'failed' } },
    'build.id-failed: add > adds',
  ],
  [
    'an id could not run',
    { statuses: { ...good, 'add > adds': 'error' } },
    'build.id-failed: add > adds',
  ],
  [
    'an id was skipped (case 80)',
    { statuses: { ...good, 'same > same': 'skipped' } },
    'build.id-skipped: same > same',
  ],
  [
    'an id passed on a retry',
    { statuses: { ...good, 'same > same': 'flaky' } },
    'build.id-failed: same > same',
  ],
  ['time ran out (case 84)', { statuses: good, status: 'timed-out' }, 'build.timeout'],
  [
    'the runner died (cases 79 and 83)',
    { statuses: good, status: 'crashed' },
    'build.report-incomplete: crashed',
  ],
  [
    'nothing was reported (C6)',
    { statuses: {}, status: 'no-report' },
    'build.report-incomplete: no-report',
  ],
  [
    'the report has no end',
    { statuses: {}, report: { runner: 'x', complete: false, results: [] } },
    'build.report-incomplete: completed',
  ],
  [
    'outcomes were rewritten',
    {
      statuses: {},
      status: 'unreadable',
      tampered: 'test/a.ts: the test that must fail is reported as passed',
    },
    'build.tampered: test/a.ts: the test that must fail is reported as passed',
  ],
  [
    'memory was used up, which is no failing test',
    { statuses: good, status: 'crashed', outOf: 'memory' },
    'build.report-incomplete: crashed, out of memory',
  ],
  [
    'the tree changed under the tests',
    { statuses: good, drift: ['src/same.ts'] },
    'build.tree-changed: src/same.ts',
  ],
])('Build is false when %s', async (_, result, reason) => {
  const build = await grade(onCandidate(() => result));
  expect(build).toMatchObject({ status: 'false', reason });
});

test('an id that is reported twice is evidence of nothing', async () => {
  const twice = ['passed', 'passed'].map((status) => ({
    id: 'add > adds',
    file: 'test/add.test.ts',
    line: null,
    status: status as 'passed',
    message: null,
  }));
  const build = await grade(
    onCandidate(() => ({ statuses: {}, report: { runner: 'x', complete: true, results: twice } })),
  );
  expect(build.reason).toBe('build.report-conflict: add > adds');
});

test('a run that cannot be trusted counts no test as passed', async () => {
  const build = await grade(onCandidate(() => ({ statuses: good, status: 'crashed' })));
  expect(build.groups.map(({ passed }) => passed)).toEqual([0, 0]);
});

test('what the control changes too is not held against the candidate', async () => {
  expect(
    await grade((source, request) => ({ ...honest(source, request), drift: ['cache'] })),
  ).toMatchObject({
    status: 'true',
  });
});

test('without a good control nobody is graded', async () => {
  const broken: Judge = () => ({ statuses: {}, status: 'no-report' });
  await expect(grade(broken)).rejects.toMatchObject({ name: 'Fault', code: 'run-ungradable' });
});

test('protected bytes come from the base whatever the candidate holds (C8)', async () => {
  const bench = solveBench();
  const candidate = keepFiles(bench.ledger, {
    ...goldFiles,
    'test/add.test.ts': 'weak\n',
    'conftest.py': '',
  });
  await gradeCandidate({ ...bench, candidate });
  expect(bench.runs.at(-1)?.tree).toBe(bench.instance.goldTree);
  await gradeCandidate({ ...bench, candidate, isWhole: true });
  expect(bench.runs.at(-1)?.tree).toBe(candidate);
});

test('the hidden tests are laid over every run, and all files of the task run at once', async () => {
  const bench = solveBench();
  await gradeCandidate({ ...bench, candidate: bench.instance.goldTree });
  for (const { overlay, files, repeat } of bench.runs) {
    expect({ overlay, files, repeat }).toEqual({
      overlay: bench.task.tests.overlay,
      files: ['test/add.test.ts'],
      repeat: 0,
    });
  }
});
