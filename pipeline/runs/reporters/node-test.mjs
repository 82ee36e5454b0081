// Runs test files with node:test (Node 22 or later), a process per file, and reports from the parent.
// node node-test.mjs REPORT FILE...      Nothing of the tree is loaded in this process.
import { run } from 'node:test';
import { fileOf, isAssertion, messageOf, openStream } from './stream.mjs';

const [report, ...files] = process.argv.slice(2);
const stream = openStream(report, 'node-test', process.versions.node);

/** What is known of one file while its events come in, in order of definition. */
const states = new Map();
const stateOf = (file) => {
  if (!states.has(file))
    states.set(file, { titles: [], tests: 0, bad: [], summary: null, words: null });
  return states.get(file);
};

const send = (file, titles, data, status, message) => {
  if (['failed', 'error', 'unexpected-pass'].includes(status)) process.exitCode = 1;
  const isHere = data.file === undefined || fileOf(data.file) === file;
  stream.result({ file, path: titles, line: isHere ? data.line : null, status, message });
};

function statusOf(data, isPassed, children) {
  if (data.skip !== undefined || data.todo !== undefined) return 'skipped';
  if (data.expectFailure !== undefined) return isPassed ? 'expected-failure' : 'unexpected-pass';
  if (isPassed) return 'passed';
  const error = data.details.error;
  if (error?.failureType === 'subtestsFailed')
    return children.includes('failed') ? 'failed' : 'error';
  return isAssertion(error) ? 'failed' : 'error';
}

/** A suite is no test; it counts only when it broke by itself, in its body or a hook. */
const isOwnResult = ({ details }, isPassed) =>
  details.type !== 'suite' || (!isPassed && details.error?.failureType !== 'subtestsFailed');

function ended(file, data, isPassed) {
  const state = stateOf(file);
  const titles = [...state.titles.slice(0, data.nesting), data.name];
  const children = state.bad[data.nesting + 1] ?? [];
  state.bad[data.nesting + 1] = [];
  const status = statusOf(data, isPassed, children);
  const error = data.details.error;
  const beside = state.bad[data.nesting] ?? [];
  state.bad[data.nesting] = isPassed || status === 'skipped' ? beside : [...beside, status];
  if (data.details.type !== 'suite') state.tests++;
  if (!isOwnResult(data, isPassed)) return;
  const cause = error?.cause?.message ?? error?.message;
  send(file, titles, data, status, isPassed ? null : messageOf(cause));
}

/** A process that left before its own summary, or said something else than it counted, is an error of its file. */
function fileEnded(file, data, isPassed) {
  const { summary, tests, bad, words } = stateOf(file);
  const early = messageOf(words ?? 'the file ended before its tests did');
  if (summary === null) send(file, [], data, 'error', early);
  else if (summary !== tests)
    send(file, [], data, 'error', `${tests} results for ${summary} tests`);
  else if (!isPassed && !bad[0]?.length)
    send(file, [], data, 'error', 'the process of the file failed');
}

const handlers = {
  'test:stdout': (_file, { message }) => process.stdout.write(message),
  'test:stderr': (file, { message }) => {
    process.stderr.write(message);
    stateOf(file).words ??= /^\w*Error\b.*/m.exec(message)?.[0] ?? null;
  },
  'test:start': (file, data) => {
    stateOf(file).titles[data.nesting] = data.name;
  },
  'test:pass': (file, data) => ended(file, data, true),
  'test:fail': (file, data) => ended(file, data, false),
  'test:summary': (file, data) => {
    stateOf(file).summary = data.counts.tests;
  },
};

/** The events of a file's own process carry `entryFile`; what the parent says of the process does not. */
for await (const { type, data } of run({ files, isolation: 'process', concurrency: 1 })) {
  if (data.entryFile !== undefined) handlers[type]?.(fileOf(data.entryFile), data);
  else if (type === 'test:complete') fileEnded(fileOf(data.name), data, data.details.passed);
}
stream.end();
