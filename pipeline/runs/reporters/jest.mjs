// Runs test files with the jest that the tree finds by itself (27 or later), and reports from the main process.
// node jest.mjs REPORT [ARGUMENT...] -- FILE...
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileOf, isAssertion, messageOf, openStream } from './stream.mjs';

const [report, ...rest] = process.argv.slice(2);
const [extra, files] = [rest.slice(0, rest.indexOf('--')), rest.slice(rest.indexOf('--') + 1)];
const find = createRequire(`${process.cwd()}/package.json`);
const { version } = find('jest/package.json');
const stream = openStream(report, 'jest', version);

const IDLE = new Set(['pending', 'skipped', 'todo', 'disabled']);
const isExpectation = (detail) =>
  detail?.matcherResult !== undefined || isAssertion(detail) || isAssertion(detail?.error);
const says = /^(?:\S*(?:Assertion|JestAssertion)Error\b|(?:Error: )?expect\()/;

function statusOf({ status, invocations, failureMessages, failureDetails = [] }) {
  if (IDLE.has(status)) return 'skipped';
  if (status === 'passed') return invocations > 1 ? 'flaky' : 'passed';
  if (failureMessages.some((text) => /^\S*Error: Failing test passed even though/.test(text)))
    return 'unexpected-pass';
  const isBroken =
    failureDetails.some(isExpectation) || failureMessages.some((text) => says.test(text));
  return isBroken ? 'failed' : 'error';
}

const firstLine = (text) => messageOf(String(text).split('\n    at ')[0]);

function sendFile({ testFilePath, testResults, testExecError }) {
  const file = fileOf(testFilePath);
  for (const one of testResults) {
    const status = statusOf(one);
    const said = one.failureMessages[0];
    const message = said === undefined ? null : firstLine(said);
    const path = [...one.ancestorTitles, one.title];
    stream.result({ file, path, line: one.location?.line, status, message });
  }
  if (testExecError === undefined || testExecError === null) return;
  const message = firstLine(testExecError.message ?? testExecError.stack ?? testExecError);
  stream.result({ file, path: [], line: null, status: 'error', message });
}

globalThis[Symbol.for('codespecweave.jest')] = {
  file: sendFile,
  end(error) {
    const path = ['unhandled error'];
    if (error)
      stream.result({ file: '', path, status: 'error', message: firstLine(error.message) });
    stream.end();
  },
};

const reporter = fileURLToPath(new URL('jest-reporter.cjs', import.meta.url));
const own = [
  ...[
    '--ci',
    '--no-cache',
    '--watchman=false',
    '--coverage=false',
    '--testLocationInResults',
    '--bail=0',
  ],
  // Any limit at all keeps jest from running tests in this process.
  ...['--maxWorkers=2', '--workerIdleMemoryLimit=2GB', '--reporters', reporter],
];
const { run } = createRequire(find.resolve('jest/package.json'))('jest-cli');
process.argv[1] = join(process.cwd(), 'node_modules', '.bin', 'jest');
await run([...extra, ...own, '--runTestsByPath', ...files]);
