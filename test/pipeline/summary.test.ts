import { expect, test } from 'vitest';
import type { RecordState } from '../../pipeline/ledger/fold.ts';
import type { OpenRun } from '../../pipeline/open-run.ts';
import { matrixLines, printMatrices } from '../../pipeline/print-matrix.ts';
import { summaryOf } from '../../pipeline/summary.ts';
import { RunConfig } from '../../schemas/run-config.ts';
import type { Facts } from '../../stages/stage.ts';
import { limiter, playLimiter, soloPair } from '../support/limiter.ts';
import { rollout } from '../support/reviewed.ts';
import { instanceOf } from '../support/validated.ts';
import { onBench } from '../support/woven.ts';

const state = (facts: Facts, rest: Partial<RecordState> = {}): RecordState => ({
  facts,
  next: null,
  revision: 0,
  ordinal: 6,
  rejection: null,
  fault: null,
  excluded: null,
  ...rest,
});
const instance = await instanceOf(await onBench({ ...limiter, solos: soloPair }, playLimiter));
const run = { config: RunConfig.parse({ run: 'story' }) } as OpenRun;
const exported = { files: [], tasks: ['good'], refused: [] };

const flaky = { code: 'flaky' as const, detail: 'wobbles', evidence: [] };
const lost = { stage: 'solve', code: 'sandbox-lost' as const, message: 'gone' };
const incomplete = { ...rollout('r2', '0'), outcome: null };
const ends = [
  { record: 'good', state: state({ instance, rollouts: [rollout('r1', '0'), incomplete] }) },
  { record: 'bad', state: state({ instance }, { rejection: flaky }) },
  { record: 'away', state: state({}, { fault: lost, next: 'solve' }) },
];

test('a matrix has subsets down and groups across, then merges and levels', () => {
  expect(matrixLines(instance)).toEqual([
    '            T_1 (1)   T_2 (1)   T_1_2 (1)  P (1)     ',
    'B           fail      fail      fail       pass',
    'G|{R1}      pass      fail      fail       pass',
    'G|{R2}      fail      pass      fail       pass',
    'G           pass      pass      pass       pass',
    'solo merge R1 by pack + R2 by pack: fails 1 joint test(s), witness w-woven-0-solo-1',
    'R1-R2: level 4 (ablation, solo-merge)',
  ]);
});

test('a test that was set aside for its changing verdict is named with what is suspected', () => {
  const flakes = [{ id: 'test/a.test.ts > x', suspect: 'order' as const, runs: [] }];
  const lines = matrixLines({ ...instance, flakes });
  expect(lines).toEqual([
    ...matrixLines(instance),
    'quarantined, changes its verdict by order: test/a.test.ts > x',
  ]);
});

test('only tasks that stand are printed', () => {
  const lines: string[] = [];
  printMatrices(ends, (line) => lines.push(line));
  expect(lines.slice(0, 2)).toEqual(['', 'good']);
  expect(lines.filter((line) => line === '')).toHaveLength(1);
});

test('a summary counts every record once and no fault as an outcome', () => {
  expect(summaryOf(run, ends, exported)).toMatchObject({
    run: 'story',
    funnel: { drafted: 3, accepted: 1, flaky: 1, 'fault:sandbox-lost': 1 },
    outcomes: { 'valid-success': 1, incomplete: 1 },
    tasks: [{ record: 'good', levels: ['R1-R2:4'] }],
  });
});

test('two runs that found the same have one digest, whatever box and hour they ran in', () => {
  const digest = (change: object) => {
    const [first, ...rest] = ends;
    const changed = {
      record: 'good',
      state: { ...first?.state, facts: { ...first?.state.facts, ...change } },
    };
    return summaryOf(run, [changed as (typeof ends)[0], ...rest], exported).results_sha256;
  };
  const elsewhere = { ...instance, environmentDigest: 'f'.repeat(64) };
  expect(digest({ instance: elsewhere })).toBe(digest({}));
  expect(digest({ rollouts: [] })).not.toBe(digest({}));
  expect(digest({ instance: { ...instance, couplings: [] } })).not.toBe(digest({}));
});
