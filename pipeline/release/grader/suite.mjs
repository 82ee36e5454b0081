// One suite run on one tree: another user, no network, one deadline, and nobody left behind.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readReport } from './report.mjs';

const NOBODY = 65534;
const MAX_REPORT = 64 * 1024 * 1024;
const MAX_TAIL = 4000;
// Not the caller's PATH: whoever starts the grader has no say in which tools it finds.
const SYSTEM_PATH = `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
const isRoot = process.getuid() === 0;
const works = (argv) =>
  spawnSync(argv[0], [...argv.slice(1), 'true'], { stdio: 'ignore' }).status === 0;

/** Words that put a command into its own namespaces and under another user, as far as this machine lets us. */
function wrapping() {
  // Killing the first process of a process namespace kills all others in it, detached ones too.
  const alone = ['unshare', '--net', '--pid', '--fork', '--kill-child'];
  if (!isRoot) {
    const mapped = [...alone, '--user', '--'];
    return works(mapped) ? { words: mapped, namespaces: true } : { words: [], namespaces: false };
  }
  const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const user = ['setpriv', ...ids, '--no-new-privs', '--'];
  if (!works(user)) throw new Error('setpriv does not work, so the suite has no user of its own');
  const namespaces = works([...alone, '--']);
  return { words: namespaces ? [...alone, '--', ...user] : user, namespaces };
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
    // Not `close`: a detached child may hold the pipes open for ever.
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, timedOut });
    });
  });
}

function readBounded(path) {
  let descriptor;
  try {
    descriptor = fs.openSync(
      path,
      fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK,
    );
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return null;
    throw error;
  }
  try {
    const stat = fs.fstatSync(descriptor);
    return stat.isFile() && stat.size <= MAX_REPORT ? fs.readFileSync(descriptor) : null;
  } finally {
    fs.closeSync(descriptor);
  }
}

function prepared(folder, reporters) {
  const nonce = randomBytes(24).toString('hex');
  fs.mkdirSync(`${folder}/home`, { recursive: true });
  fs.writeFileSync(`${folder}/report.nonce`, nonce, { mode: 0o600 });
  for (const name of fs.readdirSync(reporters)) {
    fs.copyFileSync(`${reporters}/${name}`, `${folder}/${name}`);
  }
  ownAll(folder);
  return nonce;
}

function environment(suite, places) {
  const fill = (text) => filled(text, places);
  const own = Object.entries(suite.env).map(([name, value]) => [name, fill(value)]);
  const paths = suite.paths.map(fill).map((path) => resolve(places.workdir, path));
  const folders = { HOME: `${places.run}/home`, TMPDIR: `${places.run}/home` };
  const PATH = [...paths, SYSTEM_PATH].join(':');
  return { ...suite.pinned, ...folders, PATH, ...Object.fromEntries(own) };
}

/** The last characters of what the suite printed, for a person to read; no verdict rests on them. */
function tailOf(child) {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      tail = (tail + bytes.toString('latin1')).slice(-MAX_TAIL);
    });
  }
  return () => tail;
}

/**
 * Run a suite's argument vector on `tree`. `{run}` in it is a private folder with the reporter, the nonce and the report.
 * Throws only where the machine fails; whatever the suite does is a result.
 */
export async function runSuite({ suite, argv, tree, folder, reporters, deps }) {
  const nonce = prepared(folder, reporters);
  ownAll(tree);
  const places = { run: folder, workdir: tree, deps };
  const { words, namespaces } = wrapping();
  const [command, ...rest] = [...words, ...argv.map((word) => filled(word, places))];
  const env = environment(suite, places);
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, rest, { cwd: tree, detached: true, stdio, env });
  const tail = tailOf(child);
  const exit = await ended(child, suite.timeout_s * 1000);
  killGroup(child.pid);
  if (isRoot && !namespaces) reap();
  child.stdout.destroy();
  child.stderr.destroy();
  return { ...readReport(readBounded(`${folder}/report`), nonce, exit), tail: tail() };
}
