/** @module-tag slow */
import { expect, test } from 'vitest';
import { judge } from '../../../stages/test-reports/evidence.ts';
import { sealedReport } from '../../support/sealed-report.ts';

const FILES = 1000;
const names = { good: 'gggg', bad: 'bbbb' };
const fileOf = (at: number) => `test/${at % FILES}.ts`;
const result = (id: string, file: string, status: string) => ({
  type: 'result',
  ...{ id, file, line: null, status, message: null },
});

test('a hundred thousand tests in a thousand files, each with its sentinels, are judged in seconds', () => {
  const tests = Array.from({ length: 100_000 }, (_, at) =>
    result(`${fileOf(at)} > group > number ${at}`, fileOf(at), 'passed'),
  );
  const paths = Array.from({ length: FILES }, (_, at) => fileOf(at));
  const pairs = paths.flatMap((path) => [
    result(`${path} > ${names.good}`, path, 'passed'),
    result(`${path} > ${names.bad}`, path, 'failed'),
  ]);
  const hello = { type: 'hello', runner: 'node-test', version: '1' };
  const end = { type: 'end', results: tests.length + pairs.length };
  const bytes = sealedReport('nonce', [hello, ...tests, ...pairs, end]);
  const sentinels = { ...names, files: paths.map((path) => ({ path, kinds: 1 })) };
  const before = process.cpuUsage();
  const exit = { code: 1, signal: null, timedOut: false };
  const judged = judge({ runner: 'node-test', nonce: 'nonce', bytes, sentinels, ...exit });
  const { user, system } = process.cpuUsage(before);
  expect(judged).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(judged.report.results).toHaveLength(100_000);
  // Work that grows with files times tests would take minutes.
  expect((user + system) / 1e6).toBeLessThan(10);
}, 60_000);
