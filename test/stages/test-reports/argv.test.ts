import { expect, test } from 'vitest';
import { runnerArgv } from '../../../stages/test-reports/argv.ts';

const files = ['test/a', 'test/b'];

test.each([
  ['node-test', 'node --flag /csw/node-test.mjs /csw/report.jsonl test/a test/b'],
  ['vitest', 'node /csw/vitest.mjs /csw/report.jsonl --flag -- test/a test/b'],
  ['unittest', 'python3 --flag /csw/unittest_report.py /csw/report.jsonl test/a test/b'],
  ['pytest', 'python3 /csw/pytest_report.py /csw/report.jsonl --flag -- test/a test/b'],
] as const)('%s is started by the reporter that lies beside the report', (runner, words) => {
  const argv = runnerArgv({ runner, args: ['--flag'] }, files, '/csw/report.jsonl');
  expect(argv.join(' ')).toBe(words);
});
