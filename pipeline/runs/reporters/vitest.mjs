// Runs test files with the vitest that the tree finds by itself (1 to 5), and reports from the main process.
// node vitest.mjs REPORT [ARGUMENT...] -- FILE...      The tree's vitest config is loaded here, its tests are not.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fileOf, isAssertion, messageOf, openStream } from './stream.mjs';

const [report, ...rest] = process.argv.slice(2);
const [extra, files] = [rest.slice(0, rest.indexOf('--')), rest.slice(rest.indexOf('--') + 1)];
const find = createRequire(`${process.cwd()}/package.json`);
const { version } = find('vitest/package.json');
const stream = openStream(report, 'vitest', version);
const vitest = await import(pathToFileURL(find.resolve('vitest/node')).href);

const isBroken = (error) => isAssertion(error) || /^Snapshot .* mismatched/.test(error.message);
const firstMessage = (errors) => (errors.length === 0 ? null : messageOf(errors[0].message));

function statusOf({ mode, fails, result }, errors) {
  if (mode === 'skip' || mode === 'todo' || result?.state === 'skip') return 'skipped';
  if (result?.state === 'pass' && fails) return 'expected-failure';
  if (result?.state === 'pass') return result.retryCount > 0 ? 'flaky' : 'passed';
  if (errors.some(({ message }) => /^Expect test to fail/.test(message))) return 'unexpected-pass';
  return errors.some(isBroken) ? 'failed' : 'error';
}

/** Tests, and suites or files that broke by themselves: in a hook, or before they could name their tests. */
function send(file, titles, task) {
  const errors = task.result?.errors ?? [];
  const path = { file, path: titles, line: task.location?.line };
  if (task.tasks === undefined) {
    const status = statusOf(task, errors);
    stream.result({ ...path, status, message: status === 'passed' ? null : firstMessage(errors) });
  } else if (errors.length > 0) {
    stream.result({ ...path, status: 'error', message: firstMessage(errors) });
  }
  for (const child of task.tasks ?? []) send(file, [...titles, child.name], child);
}

const sent = new Set();
function sendFile(task) {
  if (sent.has(task.id)) return;
  sent.add(task.id);
  send(fileOf(task.filepath), [], task);
}

/** An error outside of any test makes vitest fail, so the report has to say so too. */
function sendStray(errors) {
  for (const error of errors) {
    const file = error.VITEST_TEST_PATH ? fileOf(error.VITEST_TEST_PATH) : '';
    const message = messageOf(error.message);
    stream.result({ file, path: ['unhandled error'], line: null, status: 'error', message });
  }
}

const taskOf = (module) => module.task ?? vitest.experimental_getRunnerTask(module);
const reporter = {
  onTestModuleEnd: (module) => sendFile(taskOf(module)),
  onTestRunEnd(modules, errors) {
    for (const module of modules) sendFile(taskOf(module));
    sendStray(errors);
  },
  /** Vitest 1 and 2 know nothing else; vitest 3 calls it after `onTestRunEnd`. */
  onFinished(tasks = [], errors = []) {
    if (tasks.every(({ id }) => sent.has(id))) return;
    for (const task of tasks) sendFile(task);
    sendStray(errors);
  },
};

const { options } = vitest.parseCLI(['vitest', 'run', ...extra]);
// A sentinel fails in every file, and none may end the run.
const settings = { reporters: [reporter], includeTaskLocation: true, watch: false, bail: 0 };
const session = await vitest.startVitest('test', files, { ...options, ...settings });
stream.end();
await session?.exit();
