import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Box } from '../../../stages/context.ts';
import { bytes, file, type Kit, run, sh, text, told } from './kit.ts';

/** What the port states: how long after its limit a command may take to be gone. */
const GRACE_MS = 2000;
const LIMIT_MS = 1000;
const PULSE = 'while :; do echo x >> pulse; sleep 0.05; done';

/** Whether something in the box still writes its pulse. */
async function hasPulse(box: Box): Promise<boolean> {
  const size = async () => (await box.read('pulse', 1_000_000))?.length ?? 0;
  const before = await size();
  expect(before, 'the pulse was never felt').toBeGreaterThan(0);
  await sleep(400);
  return (await size()) > before;
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

function endings({ behaviour, inBox }: Kit): void {
  behaviour('returns a failing exit as data', async () => {
    const exit = await inBox((box) => sh(box, 'echo no; echo why >&2; exit 3'));
    expect({ ...exit, stdout: text(exit.stdout), stderr: text(exit.stderr) }).toEqual({
      code: 3,
      signal: null,
      timedOut: false,
      stdout: 'no\n',
      stderr: 'why\n',
      droppedBytes: 0,
    });
  });

  behaviour('answers 127 for a program that is not there', async () => {
    const exit = await inBox((box) => run(box, ['no-such-program', 'x']));
    expect(exit.code).toBe(127);
    expect(text(exit.stderr)).toContain('no-such-program');
  });

  behaviour('answers 126 for a file that is no program', async () => {
    const exit = await inBox(async (box) => {
      await box.write([file('plain', 'text')]);
      return await run(box, [`${box.workdir}/plain`]);
    });
    expect(exit.code).toBe(126);
  });

  behaviour('never reads the end by a signal as success', async () => {
    const exit = await inBox((box) => sh(box, 'kill -SEGV $$'));
    expect(exit.timedOut).toBe(false);
    expect([null, 139]).toContain(exit.code);
  });
}

function limits({ behaviour, inBox }: Kit): void {
  behaviour('ends a command that ignores SIGTERM and keeps what it printed', async () => {
    const script = 'trap "" TERM; echo first; while :; do echo line; sleep 0.2; done';
    await inBox(async (box) => {
      const [exit, tookMs] = await timed(() => sh(box, script, { timeoutMs: LIMIT_MS }));
      expect(exit).toMatchObject({ code: null, signal: 'SIGKILL', timedOut: true });
      expect(text(exit.stdout)).toMatch(/^first\nline\nline\n/);
      expect(tookMs).toBeGreaterThanOrEqual(LIMIT_MS - 5);
      expect(tookMs).toBeLessThan(LIMIT_MS + GRACE_MS);
    });
  });

  behaviour('ends grandchildren in sessions of their own at the limit', async () => {
    const script = `trap "" TERM; setsid sh -c 'trap "" TERM; ${PULSE}' & ${PULSE}`;
    await inBox(async (box) => {
      const [exit, tookMs] = await timed(() => sh(box, script, { timeoutMs: LIMIT_MS }));
      expect(exit.timedOut).toBe(true);
      expect(tookMs).toBeLessThan(LIMIT_MS + GRACE_MS);
      expect(await hasPulse(box)).toBe(false);
    });
  });

  behaviour('ends what a finished command left running', async () => {
    const script = `setsid sh -c '${PULSE}' & sleep 0.3; echo done; exit 5`;
    await inBox(async (box) => {
      const [exit, tookMs] = await timed(() => sh(box, script));
      expect([exit.code, text(exit.stdout)]).toEqual([5, 'done\n']);
      expect(tookMs).toBeLessThan(5000);
      expect(await hasPulse(box)).toBe(false);
    });
  });

  behaviour('runs the next command after one that timed out', async () => {
    await inBox(async (box) => {
      await sh(box, 'echo kept > a; sleep 60', { timeoutMs: 400 });
      expect(await told(box, 'cat a')).toBe('kept');
    });
  });

  behaviour('does not count the time a command waits for another', async () => {
    await inBox(async (box) => {
      const slow = sh(box, 'sleep 1.5');
      const quick = sh(box, 'echo now', { timeoutMs: LIMIT_MS });
      expect((await quick).timedOut).toBe(false);
      expect((await slow).code).toBe(0);
    });
  });

  behaviour('ends a command on abort and rejects with the abort', async () => {
    await inBox(async (box) => {
      const stop = new AbortController();
      const command = box.exec(['sh', '-c', PULSE], { timeoutMs: 30_000 }, stop.signal);
      const ended = expect(command).rejects.toMatchObject({ name: 'AbortError' });
      await sleep(600);
      stop.abort();
      await ended;
      expect(await hasPulse(box)).toBe(false);
    });
  });

  behaviour('starts nothing when the run was cancelled before', async () => {
    await inBox(async (box) => {
      const command = box.exec(['touch', 'a'], { timeoutMs: 1000 }, AbortSignal.abort());
      await expect(command).rejects.toMatchObject({ name: 'AbortError' });
      expect(await box.tree()).toEqual([]);
    });
  });
}

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, value) => value);

function streams({ behaviour, inBox }: Kit): void {
  behaviour(
    'bounds 200 MB of output in flat memory and keeps head, tail and exit code',
    async () => {
      const script =
        'echo first; head -c 200000000 /dev/zero | tr "\\0" x; echo; echo last; exit 1';
      await inBox(async (box) => {
        const before = process.memoryUsage().rss;
        const exit = await sh(box, script, { maxOutputBytes: 100_000, timeoutMs: 100_000 });
        const grownMb = (process.memoryUsage().rss - before) / 1e6;
        expect(exit).toMatchObject({
          code: 1,
          timedOut: false,
          droppedBytes: 200_000_012 - 100_000,
        });
        expect(exit.stdout.length).toBe(100_000);
        expect(text(exit.stdout).startsWith('first\nxxx')).toBe(true);
        expect(text(exit.stdout).endsWith('xxx\nlast\n')).toBe(true);
        expect(grownMb).toBeLessThan(100);
      });
    },
  );

  behaviour('counts what it drops of each stream', async () => {
    const script = 'printf 0123456789; printf abcdefghij >&2';
    const exit = await inBox((box) => sh(box, script, { maxOutputBytes: 4 }));
    expect([text(exit.stdout), text(exit.stderr), exit.droppedBytes]).toEqual(['0189', 'abij', 12]);
  });

  behaviour('carries bytes that are no text unharmed, in and out', async () => {
    await inBox(async (box) => {
      const echoed = await run(box, ['tee', 'copy'], { stdin: EVERY_BYTE });
      expect(echoed.stdout).toEqual(Buffer.from(EVERY_BYTE));
      expect(await box.read('copy', 1000)).toEqual(EVERY_BYTE);
      await box.write([{ path: 'back', kind: 'file', bytes: EVERY_BYTE }]);
      expect((await run(box, ['cat', 'back'])).stdout).toEqual(Buffer.from(EVERY_BYTE));
    });
  });

  behaviour('feeds a megabyte of input, and bears a command that reads none', async () => {
    const stdin = new Uint8Array(1_000_000).fill(120);
    await inBox(async (box) => {
      expect(text((await run(box, ['wc', '-c'], { stdin })).stdout).trim()).toBe('1000000');
      expect((await run(box, ['true'], { stdin })).code).toBe(0);
      expect(text((await run(box, ['cat'])).stdout)).toBe('');
      expect(text((await run(box, ['cat'], { stdin: bytes('') })).stdout)).toBe('');
    });
  });

  behaviour('runs in the folder that was named, and refuses one that is none', async () => {
    await inBox(async (box) => {
      await box.write([file('a/b/c', ''), file('away', '/etc', 'link')]);
      const { stdout } = await run(box, ['pwd'], { cwd: 'a/b' });
      expect(text(stdout).trim()).toBe(`${box.workdir}/a/b`);
      for (const cwd of ['missing', 'a/b/c', 'away', '../..', '/etc']) {
        await expect(run(box, ['pwd'], { cwd })).rejects.toMatchObject({ code: 'sandbox-failed' });
      }
    });
  });
}

/** Behaviours of `exec`. */
export function commandBehaviours(kit: Kit): void {
  endings(kit);
  limits(kit);
  streams(kit);
}
