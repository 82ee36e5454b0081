// Runs the tests of Go files with `go test -json` and reports from outside of the test programs.
// node go-test.mjs REPORT [ARGUMENT...] -- FILE...
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ask, jsonOf, listen, readWords, workingCopy, worstOf } from './programs.mjs';
import { messageOf, openStream } from './stream.mjs';

const { report, extra, files } = readWords();
const env = {
  GOCACHE: workingCopy(process.env.GOCACHE, 'go-build'),
  GOPROXY: 'off',
  GOFLAGS: process.env.GOFLAGS ?? '',
};
const version = (await ask(['go', 'env', 'GOVERSION'], { env })).lines[0] ?? '';
const stream = openStream(report, 'go-test', version);

const FUNCTION = /^func ((?:Test|Example|Fuzz)\w*)\(/gm;
const folderOf = (file) => (dirname(file) === '.' ? '.' : `./${dirname(file)}`);

/** By folder, the files that were asked for and the file of each of their test functions. */
const folders = new Map();
for (const file of files) {
  const folder = folders.get(folderOf(file)) ?? { files: [], owners: new Map() };
  folders.set(folderOf(file), folder);
  folder.files.push(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(FUNCTION))
    if (name !== 'TestMain') folder.owners.set(name, file);
}

const STATUSES = { pass: 'passed', fail: 'failed', skip: 'skipped' };
/** What `go test` wraps around a test's own words. */
const FRAME = /^\s*\p{Cc}?(?:=== |--- )/u;
const PLACE = /^\s+[\w./-]+\.go:(\d+): /;

/** One package's tests as its events tell them; `ends` holds every end that was told, for a second one contradicts. */
const newTests = () => new Map();

function heard(tests, output, { Action: action, Test: name, Output: text }) {
  if (name === undefined) {
    if (action === 'output' || action === 'build-output') output.push(text);
    return;
  }
  const test = tests.get(name) ?? { ends: [], words: [] };
  tests.set(name, test);
  if (action === 'output' && !FRAME.test(text)) test.words.push(text);
  if (STATUSES[action] !== undefined) test.ends.push(STATUSES[action]);
}

function send(owners, name, { ends, words }) {
  const titles = name.split('/');
  const file = owners.get(titles[0]);
  if (file === undefined) return;
  const isPanic = words.some((line) => line.startsWith('panic: '));
  const status = isPanic && !ends.includes('passed') ? 'error' : worstOf(ends);
  const said = words.find((line) => PLACE.test(line) || line.startsWith('panic: '));
  const fallback = ends.length === 0 ? 'started and never ended' : words.join(' ');
  const message = status === 'passed' ? null : messageOf(said?.replace(PLACE, '') ?? fallback);
  stream.result({
    file,
    path: titles,
    line: Number(PLACE.exec(said)?.[1]) || null,
    status,
    message,
  });
}

/** A package that was not built, or left early, is an error of its files. */
function sendBroken({ files: own, owners }, seen, code, output) {
  const missing = own.filter((file) => {
    const names = [...owners].filter(([, owner]) => owner === file);
    return names.length > 0 && names.some(([name]) => !seen.has(name));
  });
  const isSilent = code !== 0 && ![...seen.values()].some(({ ends }) => ends.includes('failed'));
  const why = output.find((line) => /\.go:\d+:\d+: |panic: |^FAIL/.test(line)) ?? output.at(-1);
  for (const file of isSilent ? own : missing) {
    const message = messageOf(why ?? 'the package ended before its tests did');
    stream.result({ file, path: [], line: null, status: 'error', message });
    process.exitCode = 1;
  }
}

for (const [path, folder] of [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const names = [...folder.owners.keys()];
  if (names.length === 0) continue;
  const [tests, output] = [newTests(), []];
  const run = ['-run', `^(?:${names.join('|')})$`];
  const argv = ['go', 'test', '-json', '-count=1', '-vet=off', ...extra, ...run, path];
  const onLine = (line) => {
    process.stdout.write(`${line}\n`);
    const event = jsonOf(line);
    if (event !== null) heard(tests, output, event);
  };
  const { code, last } = await listen(argv, { onLine, env });
  for (const [name, test] of [...tests].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    send(folder.owners, name, test);
  sendBroken(folder, tests, code, [...output, ...last]);
  if (code !== 0) process.exitCode = 1;
}
stream.end();
