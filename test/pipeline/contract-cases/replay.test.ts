import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditOf } from '../../../pipeline/experiments/closed-record.ts';
import { filesBelow } from '../../../pipeline/experiments/record.ts';
import { rolloutName } from '../../../pipeline/experiments/run.ts';
import type { ModelRequest } from '../../../schemas/completion.ts';
import { experimentFigures } from '../../../stages/experiment/figures.ts';
import { Fault } from '../../../stages/fault.ts';
import { completion, experimentBench, readingBuilder } from '../../support/experiment-bench.ts';

const edits = (replace: string) =>
  JSON.stringify({
    edits: [{ file: 'src/one.ts', find: 'return 0;', replace }],
    create: [],
    delete: [],
  });
const bodies = (text: string) => JSON.stringify({ bodies: [{ region: 'r1', text }] });

/** C0 goes beyond its region and builds, or fails; C2 is right at its second try. */
const answer = async ({ condition, replicate, attempt }: ModelRequest) => {
  if (condition === 'C2')
    return completion(attempt === 1 ? bodies('  return 2;\n') : bodies('  return 1;\n'));
  if (replicate === 0) return completion(edits('return 2;'));
  const note = { file: 'note.md', find: 'note', replace: 'noted' };
  return completion(
    JSON.stringify({
      edits: [{ file: 'src/one.ts', find: 'return 0;', replace: 'return 1;' }, note],
      create: [],
      delete: [],
    }),
  );
};

async function finished() {
  const bench = await experimentBench();
  expect(await bench.run(answer)).toEqual({ finished: 4, scheduled: 4, waiting: [] });
  return bench;
}

test('case 89: the reference, the weakened and the hollow candidate come out in their classes', async () => {
  const { frozen } = await experimentBench();
  expect(frozen.instances[0]?.controls).toEqual([
    { name: 'reference', expected: 'valid-success', outcome: 'valid-success' },
    { name: 'hollow', expected: 'rejected-violation', outcome: 'rejected-violation' },
    { name: 'weakened', expected: 'false-success', outcome: 'false-success' },
  ]);
});

test('case 90: a recorded experiment replays byte for byte, builds included', async () => {
  const bench = await finished();
  const { record, experiment } = bench;
  expect(await bench.replay()).toEqual({ difference: null, rollouts: 4, attempts: 6 });
  expect(await bench.replay(readingBuilder(record.blobs))).toMatchObject({ difference: null });
  const figures = experimentFigures(experiment.plan, auditOf(record.folder));
  expect(figures.conditions).toMatchObject([
    {
      condition: 'C0',
      outcomes: { 'false-success': 1, 'safe-failure': 1 },
      falseSuccess: { hits: 1, of: 1 },
      tokensIn: null,
    },
    { condition: 'C2', outcomes: { 'valid-success': 2 }, requests: 4 },
  ]);
  expect(figures.comparisons).toMatchObject([{ better: 2, worse: 0, p: '0.5' }]);
});

test('case 90: one bit of any recorded file makes the replay name that file', async () => {
  const bench = await finished();
  const { folder } = bench.record;
  const files = filesBelow(folder).filter((path) => path !== 'SHA256SUMS');
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) {
    const path = join(folder, file);
    const bytes = readFileSync(path);
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(bytes.length / 2)] = (flipped[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
    writeFileSync(path, flipped);
    expect((await bench.replay()).difference?.at).toBe(file);
    writeFileSync(path, bytes);
  }
  expect((await bench.replay()).difference).toBeNull();
});

describe('a record that is not what it was', () => {
  test('a file too many and a file too few are named', async () => {
    const bench = await finished();
    const extra = join(bench.record.folder, 'more.txt');
    writeFileSync(extra, 'x');
    expect((await bench.replay()).difference?.at).toBe('more.txt');
    rmSync(extra);
    rmSync(join(bench.record.folder, 'audit.jsonl'));
    expect((await bench.replay()).difference).toMatchObject({
      at: 'audit.jsonl',
      found: 'no such file',
    });
  });

  test('a verdict that was changed together with its sums is still found', async () => {
    const bench = await finished();
    const { record, frozen } = bench;
    const [one] = record.rollouts().filter(({ outcome }) => outcome === 'false-success');
    if (one === undefined) throw new Error('no false success');
    record.keepRollout({ ...one, outcome: 'valid-success' });
    record.close(
      frozen.schedule.map(
        ({ instance, entrant, condition, replicate }) =>
          `${instance}/${entrant}/${condition}/${replicate}`,
      ),
    );
    expect((await bench.replay()).difference).toMatchObject({
      at: `${one.rollout} outcome`,
      recorded: '"valid-success"',
      found: '"false-success"',
    });
  });

  test.each([
    ['warnings that rules of another version worded', 'warnings', false],
    ['a verdict', 'conforms', true],
  ] as const)('of a report, %s: told or not', async (_, key, isTold) => {
    const bench = await finished();
    const { record, frozen } = bench;
    const [one] = record.rollouts().filter(({ outcome }) => outcome === 'false-success');
    const [attempt] = one?.attempts ?? [];
    if (!one || !attempt?.report) throw new Error('no report');
    const warning = { code: 'note.old-hit', path: null, at: null, detail: 'other words' };
    const changed = key === 'warnings' ? { warnings: [warning] } : { conforms: true };
    const report = { ...attempt.report, ...changed };
    record.keepRollout({ ...one, attempts: [{ ...attempt, report }, ...one.attempts.slice(1)] });
    record.close(frozen.schedule.map(rolloutName));
    const { difference } = await bench.replay();
    expect(difference?.at ?? null).toBe(isTold ? `${one.rollout} attempt 1 report` : null);
    expect(difference?.found ?? '').toContain(isTold ? '"conforms":false' : '');
  });

  test('a build that comes out differently is the first difference', async () => {
    const bench = await finished();
    const other = readingBuilder(bench.record.blobs, () => true);
    expect((await bench.replay(other)).difference?.at).toMatch(/attempt 1 build$/);
  });
});

describe('a run', () => {
  test('goes on where it stopped and asks nothing twice', async () => {
    const bench = await experimentBench();
    const asked: string[] = [];
    let isOpen = false;
    const slow = async (request: ModelRequest) => {
      asked.push(`${request.condition} ${request.replicate} ${request.attempt}`);
      if (request.condition === 'C2' && !isOpen)
        throw new Fault('waits', { code: 'model-waiting' });
      return await answer(request);
    };
    expect(await bench.run(slow)).toEqual({
      finished: 2,
      scheduled: 4,
      waiting: ['waits', 'waits'],
    });
    isOpen = true;
    expect(await bench.run(slow)).toMatchObject({ finished: 4, waiting: [] });
    expect(asked.filter((one) => one.startsWith('C0'))).toHaveLength(2);
    expect(asked.filter((one) => one.startsWith('C2'))).toHaveLength(6);
    expect((await bench.replay()).difference).toBeNull();
  });

  test.each<[string, (folder: string) => void, string]>([
    [
      'the plan',
      (folder) => appendFileSync(join(folder, 'plan.yaml'), 'budget: {usd: 1}\n'),
      'plan',
    ],
    [
      'a reference',
      (folder) => appendFileSync(join(folder, 'one/reference.json'), '\n'),
      'instances',
    ],
    [
      'a contract',
      (folder) => appendFileSync(join(folder, 'one/contract.yaml'), 'limits: {attempts: 2}\n'),
      'instances',
    ],
  ])('refuses when %s is not what was frozen', async (_, spoil, what) => {
    const bench = await experimentBench();
    spoil(bench.folder);
    await expect(bench.assertFrozen()).rejects.toThrow(`another "${what}"`);
  });

  test('refuses a base that is another, as a contract error', async () => {
    const bench = await experimentBench();
    appendFileSync(join(bench.folder, 'one/base/note.md'), 'more\n');
    await expect(bench.assertFrozen()).rejects.toThrow('contract.base-mismatch');
  });
});
