// Runs test files with node:test (Node 22 or later) and reports from the parent.
// node node-test.mjs REPORT [--together] FILE...      Nothing of the tree is loaded in this process.
// A process per file; with --together one process for all of them.
import { run } from 'node:test';
import { entryFor, failedFile } from './node-together.mjs';
import { fileOf, isAssertion, messageOf, openStream } from './stream.mjs';

const [report, ...rest] = process.argv.slice(2);
const isTogether = rest[0] === '--together';
const files = isTogether ? rest.slice(1) : rest;
const stream = openStream(report, 'node-test', process.versions.node);

/** What is known of one file while its events come in, in order of definition. */
const newState = () => ({
  titles: [],
  tests: 0,
  bad: [],
  summary: null,
  words: null,
  isLate: false,
});

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

function ended(file, state, data, isPassed) {
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

/** Failing tests explain an exit code of 1 and nothing else: no other code, and nothing that broke after its test had ended. */
const isExplained = ({ bad, isLate }, { error }) =>
  Boolean(bad[0]?.length) && !isLate && (error?.exitCode ?? 1) === 1;

/** A process that left before its own summary, or said something else than it counted, is an error of its file. */
function fileEnded(file, state, data) {
  const { summary, tests, words } = state;
  const early = messageOf(words ?? 'the file ended before its tests did');
  if (summary === null) send(file, [], data, 'error', early);
  else if (summary !== tests)
    send(file, [], data, 'error', `${tests} results for ${summary} tests`);
  else if (!data.details.passed && !isExplained(state, data.details))
    send(file, [], data, 'error', 'the process of the file failed');
}

const handlers = {
  'test:stdout': (_file, _state, { message }) => process.stdout.write(message),
  'test:stderr': (_file, state, { message }) => {
    process.stderr.write(message);
    state.words ??= /^\w*Error\b.*/m.exec(message)?.[0] ?? null;
  },
  'test:start': (_file, state, data) => {
    state.titles[data.nesting] = data.name;
  },
  'test:pass': (file, state, data) => ended(file, state, data, true),
  'test:fail': (file, state, data) => ended(file, state, data, false),
  'test:diagnostic': (_file, state, { message }) => {
    state.isLate ||= /^\w+: Test ".*" at .* generated asynchronous activity after/su.test(message);
  },
  /** The last summary is the parent's own and names no file. */
  'test:summary': (_file, state, data) => {
    if (data.file !== undefined) state.summary = data.counts.tests;
  },
};

/** Whether the parent speaks of the process of a file; later versions mark all other events with `entryFile`. */
const isOfProcess = (file, { entryFile, nesting, name, line, column }) =>
  entryFile === undefined && nesting === 0 && line === 1 && column === 1 && fileOf(name) === file;

/** One file after the other: earlier versions do not say of an event which file's process it came from. */
async function apart() {
  for (const path of files) {
    const [file, state] = [fileOf(path), newState()];
    for await (const { type, data } of run({ files: [path], isolation: 'process' })) {
      if (!isOfProcess(file, data)) handlers[type]?.(file, state, data);
      else if (type === 'test:complete') fileEnded(file, state, data);
    }
  }
}

/** All files in one process: every test says itself in which file it stands. */
async function together() {
  const whole = { entry: fileOf(entryFor(report, files)), state: newState(), file: null };
  whole.file = whole.entry;
  for await (const { type, data } of run({ files: [whole.entry], isolation: 'process' })) {
    if (isOfProcess(whole.entry, data)) processEnded(whole, type, data);
    else if (handlers[type]) heard(whole, type, data);
  }
}

function processEnded({ state }, type, data) {
  const hurt = type === 'test:complete' ? broken(state, data) : [];
  for (const path of hurt) fileEnded(fileOf(path), state, data);
}

function heard(whole, type, data) {
  if (data.file !== undefined) whole.file = fileOf(data.file);
  const isEntry = whole.file === whole.entry && type === 'test:fail';
  if (!(isEntry && notLoaded(whole.state, data))) handlers[type](whole.file, whole.state, data);
}

/** A failure of the entry speaks of a file that could not be loaded. */
function notLoaded(state, data) {
  const path = failedFile(data);
  if (path === null) return false;
  state.tests++;
  send(fileOf(path), [], data, 'error', messageOf(data.details.error?.cause?.message));
  return true;
}

/** When the one process broke, it broke for every file. */
const broken = (state, { details }) =>
  state.summary !== null &&
  state.summary === state.tests &&
  (details.passed || isExplained(state, details) || isUnloaded(state))
    ? []
    : files;

/** A file that could not be loaded was sent as its own error, and the process fails for it. */
const isUnloaded = ({ bad, isLate }) => !bad[0]?.length && !isLate && process.exitCode === 1;

const work = isTogether ? together : apart;
await work();
stream.end();
