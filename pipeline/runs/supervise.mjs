// Runs one suite inside the box and hands out what became of it as one sealed frame on standard output. Node 18 or later.
// node supervise.mjs TIMEOUT_MS COMMAND...      Standard input: the report's nonce, a line feed, the frame's key.
// The suite gets the report stream on descriptor 3 and the nonce on 4: there is no file that anybody could write over, and what is
// written after the suite's own end is read by nobody.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';

const MAX_REPORT = 64 * 1024 * 1024;
const MAX_OUTPUT = 4 * 1024 * 1024;
/** How long a suite's last words may be on their way once it has ended. */
const DRAIN_MS = 500;

const [nonce = '', key = ''] = readFileSync(0, 'utf8').split('\n');
const [limit, command, ...rest] = process.argv.slice(2);
const mark = `CSW_FAMILY=${randomBytes(12).toString('hex')}`;

/** The first `max` bytes of a stream, in one buffer that doubles: a list of pieces costs a hundred bytes for a byte that comes alone. */
function first(max) {
  let [store, size] = [Buffer.alloc(0), 0];
  return {
    /** Takes what fits and returns the rest. */
    take(chunk) {
      const fits = chunk.subarray(0, max - size);
      if (size + fits.length > store.length) {
        const grown = Buffer.alloc(
          Math.min(max, Math.max(size + fits.length, 2 * store.length, 4096)),
        );
        store.copy(grown, 0, 0, size);
        store = grown;
      }
      fits.copy(store, size);
      size += fits.length;
      return chunk.subarray(fits.length);
    },
    bytes: () => store.subarray(0, size),
  };
}

/** The last `max` bytes of a stream. */
function last(max) {
  let [store, seen] = [null, 0];
  return {
    take(chunk) {
      if (chunk.length === 0) return;
      store ??= Buffer.alloc(max);
      const kept = chunk.subarray(Math.max(0, chunk.length - max));
      const at = (seen + chunk.length - kept.length) % max;
      const copied = kept.copy(store, at);
      kept.copy(store, 0, copied);
      seen += chunk.length;
    },
    bytes() {
      if (store === null || seen <= max) return (store ?? Buffer.alloc(0)).subarray(0, seen);
      return Buffer.concat([store.subarray(seen % max), store.subarray(0, seen % max)]);
    },
    dropped: () => Math.max(0, seen - max),
  };
}

/** The first and the last bytes of a stream, in flat memory; what lies between is counted. */
function capped(max) {
  const [head, tail] = [first(max / 2), last(max / 2)];
  return {
    take: (chunk) => tail.take(head.take(chunk)),
    bytes: () => Buffer.concat([head.bytes(), tail.bytes()]),
    dropped: tail.dropped,
  };
}

function killed(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

function isOurs(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    // It ended meanwhile, or is another user's.
    return false;
  }
}

/** Where a process namespace has no /proc of its own, the numbers there are not the ones that signals take. */
const isOwnProc = readlinkSync('/proc/self') === String(process.pid);

/** The suite's group, and whoever left it but kept its environment; the box itself ends what hid from both. */
function reap(pid) {
  killed(-pid);
  if (!isOwnProc) return;
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name) && isOurs(name)) killed(Number(name));
}

function writeAll(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** Head line, then report, output and errors. The seal is over all of it, under a key that left this process with the input. */
function frame(end, report, stdout, stderr) {
  const parts = [report.bytes(), stdout.bytes(), stderr.bytes()];
  const sizes = parts.map(({ length }) => length);
  const json = JSON.stringify({ ...end, sizes, dropped: stdout.dropped() + stderr.dropped() });
  const hash = createHash('sha256').update(`${key}\n${json}\n`);
  for (const part of parts) hash.update(part);
  const seal = hash.update(`\n${key}`).digest('hex');
  return Buffer.concat([Buffer.from(`csw-frame ${seal} ${json}\n`), ...parts]);
}

// A report is whole or worthless: of one that is too long the end is missing, and without its end it proves nothing.
const [report, stdout, stderr] = [first(MAX_REPORT), capped(MAX_OUTPUT), capped(MAX_OUTPUT)];
const [name, value] = mark.split('=');
// biome-ignore lint/style/noProcessEnv: what the box pinned goes on to the suite.
const { CSW_NODE_OPTIONS: forNode, ...pinned } = process.env;
const options = forNode ? { NODE_OPTIONS: forNode } : {};
const child = spawn(command, rest, {
  detached: true,
  env: { ...pinned, ...options, [name]: value },
  stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
});
let timedOut = false;
const timer = setTimeout(() => {
  timedOut = true;
  reap(child.pid);
}, Number(limit));

function finish(code, signal) {
  clearTimeout(timer);
  if (child.pid !== undefined) reap(child.pid);
  writeAll(frame({ code: timedOut ? null : code, signal, timedOut }, report, stdout, stderr));
  process.exit(0);
}

child.stdout.on('data', stdout.take);
child.stderr.on('data', stderr.take);
child.stdio[3].on('data', report.take);
// A suite may end without reading its nonce.
child.stdio[4].on('error', () => undefined);
child.stdio[4].end(nonce);
child.on('error', ({ code, message }) => {
  stderr.take(Buffer.from(`${message}\n`));
  finish(code === 'ENOENT' ? 127 : 126, null);
});
child.on('exit', (code, signal) => {
  const late = setTimeout(() => finish(code, signal), DRAIN_MS);
  child.on('close', () => {
    clearTimeout(late);
    finish(code, signal);
  });
});
