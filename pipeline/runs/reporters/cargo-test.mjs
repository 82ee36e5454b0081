// Builds the tests of a cargo workspace and runs each in a process of its own, reporting from outside of it.
// node cargo-test.mjs REPORT [ARGUMENT...] -- FILE...      Doc tests are not run.
import { copyFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forgetPackages, holds, homeOf, targetOf } from './cargo-targets.mjs';
import { ask, jsonOf, listen, readWords, workingCopy } from './programs.mjs';
import { messageOf, openStream } from './stream.mjs';

const { report, extra, files } = readWords();
const kept = process.env.CARGO_TARGET_DIR;
const env = { CARGO_TARGET_DIR: workingCopy(kept, 'cargo-target'), CARGO_NET_OFFLINE: 'true' };
const version = (await ask(['rustc', '--version'])).lines[0] ?? '';
const stream = openStream(report, 'cargo-test', version);

const error = (file, message) => {
  stream.result({ file, path: [], line: null, status: 'error', message: messageOf(message) });
  process.exitCode = 1;
};

/** A workspace without a lock is built with the one that was made when its packages were fetched. */
function useLock() {
  const frozen = kept === undefined ? '' : join(dirname(kept), 'Cargo.lock');
  if (!existsSync('Cargo.lock') && existsSync(frozen)) copyFileSync(frozen, 'Cargo.lock');
}

async function build() {
  const asked = ['cargo', 'metadata', '--offline', '--no-deps', '--format-version', '1'];
  const known = jsonOf((await ask(asked, { env })).lines.join('')) ?? { packages: [] };
  forgetPackages(
    env.CARGO_TARGET_DIR,
    known.packages.map(({ name }) => name),
  );
  const [targets, words] = [[], []];
  const onLine = (line) => {
    const message = jsonOf(line);
    const target = targetOf(message);
    if (target !== null) targets.push(target);
    if (message?.message?.level === 'error') words.push(message.message);
  };
  const argv = ['cargo', 'test', '--offline', '--workspace', '--no-run', '--no-fail-fast'];
  const { code, last } = await listen([...argv, '--message-format=json', ...extra], {
    onLine,
    env,
  });
  return { targets, words, code, last };
}

async function namesIn({ executable, folder }) {
  const list = async (more) => {
    const { code, lines } = await ask([executable, '--list', '--format', 'terse', ...more], {
      cwd: folder,
    });
    const names = lines.flatMap((line) => /^(.+): test$/.exec(line)?.[1] ?? []);
    return code === 0 ? names : null;
  };
  const all = await list([]);
  const ignored = await list(['--ignored']);
  return all === null ? null : { all, ignored: new Set(ignored ?? []) };
}

/** libtest tells results as JSON only where unstable options are allowed, so for this one process they are. */
const inJson = { RUSTC_BOOTSTRAP: '1' };
const PANIC = /panicked at (?:[^\n:]+:(\d+):\d+)?:?\n?([^\n]*)/;

async function runOne({ executable, folder }, name) {
  const events = [];
  const onLine = (line) => {
    const event = jsonOf(line);
    if (event?.type === 'test' && event.name === name) events.push(event);
    else if (event?.type !== 'suite') process.stdout.write(`${line}\n`);
  };
  const argv = [executable, '--exact', name, '-Z', 'unstable-options', '--format', 'json'];
  const package_ = { CARGO_MANIFEST_DIR: folder };
  const { code } = await listen(argv, { cwd: folder, env: { ...inJson, ...package_ }, onLine });
  const failed = events.find(({ event }) => event === 'failed');
  const isOk = events.some(({ event }) => event === 'ok');
  if (code === 0 && isOk && failed === undefined) return { status: 'passed', message: null };
  if (failed === undefined) {
    const message = `the test's process ended with ${code ?? 'a signal'} before it told a result`;
    return { status: 'error', message };
  }
  const [, line, words] = PANIC.exec(failed.stdout ?? '') ?? [];
  const message = messageOf(words || failed.message || failed.stdout || 'failed');
  return { status: 'failed', message, line: Number(line) || null };
}

function send(target, file, name, result) {
  if (result.status !== 'skipped' && result.status !== 'passed') process.exitCode = 1;
  const module = name.split('::');
  const titles = target.isOwnFile ? module : [target.name, ...module];
  stream.result({ file, path: titles, line: null, ...result });
}

async function runNamed(target, { all, ignored }, done) {
  for (const name of all.toSorted()) {
    const file = homeOf(target, name);
    if (!files.includes(file)) continue;
    const isIgnored = ignored.has(name);
    const result = isIgnored ? { status: 'skipped', message: null } : await runOne(target, name);
    send(target, file, name, result);
    done.add(file);
  }
}

/** A test program without libtest's harness is one test. */
async function runWhole({ executable, folder, source }, done) {
  if (!files.includes(source)) return;
  done.add(source);
  const { code } = await ask([executable], { cwd: folder });
  if (code === 0) stream.result({ file: source, path: [], line: null, status: 'passed' });
  else error(source, `the test program ended with ${code ?? 'a signal'}`);
}

async function runTarget(target, done) {
  const names = await namesIn(target);
  await (names === null ? runWhole(target, done) : runNamed(target, names, done));
}

useLock();
const built = await build();
const done = new Set();
for (const target of built.targets.toSorted((a, b) => (a.source < b.source ? -1 : 1)))
  if (holds(target, files)) await runTarget(target, done);
for (const file of files) {
  const isBuilt = built.targets.some(({ source }) => source === file);
  if (done.has(file) || (isBuilt && built.code === 0)) continue;
  const own = built.words.find(({ spans }) => spans?.some((span) => span.file_name === file));
  const why = own ?? built.words[0];
  if (built.code !== 0) error(file, why?.message ?? built.last.at(-1) ?? 'not built');
}
stream.end();
