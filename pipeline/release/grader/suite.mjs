// One suite run on one tree: another user, no network, one deadline, and nobody left behind.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFrame, supervisedArgv } from './kernel/frame.mjs';
import { readReport } from './report.mjs';

const NOBODY = 65534;
/** All that the supervisor may write: a report, and what is kept of output and errors. */
const MAX_FRAME = 73 * 1024 * 1024;
/** The supervisor keeps the suite's limit itself; this is for one that was stopped. */
const GRACE_MS = 10_000;
const DRAIN_MS = 2000;
const SUPERVISOR = fileURLToPath(new URL('supervise.mjs', import.meta.url));
const MAX_TAIL = 4000;
// Not the caller's PATH: whoever starts the grader has no say in which tools it finds.
const SYSTEM_PATH = `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
const isRoot = process.getuid() === 0;
const works = (argv) =>
  spawnSync(argv[0], [...argv.slice(1), 'true'], { stdio: 'ignore' }).status === 0;

/**
 * Words around the supervisor, which put everything into namespaces of its own, and words around the suite, which put that under
 * another user: so the suite cannot reach into the process that speaks for it. As far as this machine lets us.
 */
function wrapping() {
  // Killing the first process of a process namespace kills all others in it, detached ones too.
  const alone = ['unshare', '--net', '--pid', '--fork', '--kill-child'];
  if (!isRoot) {
    const mapped = [...alone, '--user', '--'];
    return { outer: works(mapped) ? mapped : [], inner: [], namespaces: works(mapped) };
  }
  const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const user = ['setpriv', ...ids, '--no-new-privs', '--'];
  if (!works(user)) throw new Error('setpriv does not work, so the suite has no user of its own');
  const namespaces = works([...alone, '--']);
  return { outer: namespaces ? [...alone, '--'] : [], inner: user, namespaces };
}

const filled = (text, places) =>
  text.replace(/\{(run|workdir|deps)\}/gu, (_, name) => places[name]);

function own(path) {
  if (isRoot) fs.lchownSync(path, NOBODY, NOBODY);
}

/** The suite may write into its tree as it may in any sandbox; what it must not change is hashed again afterwards. */
function ownAll(folder) {
  own(folder);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) ownAll(path);
    else own(path);
  }
}

/** Without a process namespace, whatever still runs as the suite's user in this container is the suite's. */
function reap() {
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    try {
      if (fs.statSync(`/proc/${pid}`).uid === NOBODY) process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    }
  }
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function ended(child, timeoutMs) {
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, timeoutMs);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const done = () => resolve({ code, signal, timedOut });
      // Its last bytes may be on their way; a detached child may hold the pipes open for ever.
      setTimeout(done, DRAIN_MS).unref();
      child.on('close', done);
    });
  });
}

function prepared(folder, reporters) {
  fs.mkdirSync(`${folder}/home`, { recursive: true });
  for (const name of fs.readdirSync(reporters)) {
    fs.copyFileSync(`${reporters}/${name}`, `${folder}/${name}`);
  }
  ownAll(folder);
}

function environment(suite, places) {
  const fill = (text) => filled(text, places);
  const own = Object.entries(suite.env).map(([name, value]) => [name, fill(value)]);
  const paths = suite.paths.map(fill).map((path) => resolve(places.workdir, path));
  const folders = { HOME: `${places.run}/home`, TMPDIR: `${places.run}/home` };
  const PATH = [...paths, SYSTEM_PATH].join(':');
  return { ...suite.pinned, ...folders, PATH, ...Object.fromEntries(own) };
}

/** What came on a stream, cut where no honest supervisor goes. */
function collected(stream) {
  const pieces = [];
  let size = 0;
  stream.on('data', (bytes) => {
    size += bytes.length;
    if (size <= MAX_FRAME) pieces.push(bytes);
  });
  return () => Buffer.concat(pieces);
}

/** The last characters of what the suite printed, for a person to read; no verdict rests on them. */
const tailOf = (...streams) =>
  Buffer.concat(streams.map((bytes) => Buffer.from(bytes.slice(-MAX_TAIL))))
    .toString('latin1')
    .slice(-MAX_TAIL);

/** The supervisor to its end. Its output is closed when it ends, and a process that kept it open is not waited for. */
async function supervised(argv, { tree, env, timeoutMs }) {
  const [nonce, key] = [randomBytes(24).toString('hex'), randomBytes(32).toString('hex')];
  const [command, ...rest] = argv;
  const child = spawn(command, rest, { cwd: tree, detached: true, env });
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${nonce}\n${key}`);
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  const exit = await ended(child, timeoutMs + GRACE_MS);
  killGroup(child.pid);
  const frame = openFrame(stdout(), key);
  return { exit, nonce, frame, stderr: stderr(), child };
}

/**
 * Run a suite's argument vector on `tree`. `{run}` in it is a private folder with the reporter. Throws only where the machine
 * fails; whatever the suite does is a result.
 */
export async function runSuite({ suite, argv, tree, folder, reporters, deps }) {
  prepared(folder, reporters);
  ownAll(tree);
  const places = { run: folder, workdir: tree, deps };
  const { outer, inner, namespaces } = wrapping();
  const timeoutMs = suite.timeout_s * 1000;
  const own = argv.map((word) => filled(word, places));
  const command = {
    node: process.execPath,
    script: SUPERVISOR,
    timeoutMs,
    argv: [...inner, ...own],
  };
  const words = [...outer, ...supervisedArgv(command)];
  const env = environment(suite, places);
  const { exit, nonce, frame, stderr, child } = await supervised(words, { tree, env, timeoutMs });
  if (isRoot && !namespaces) reap();
  child.stdout.destroy();
  child.stderr.destroy();
  if (frame === null) return { ...readReport(null, nonce, exit), tail: tailOf(stderr) };
  const tail = tailOf(frame.stdout, frame.stderr);
  return { ...readReport(Buffer.from(frame.report), nonce, frame), tail };
}
