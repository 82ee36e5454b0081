/** @module-tag slow */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openFrame } from '../../../stages/test-reports/frame.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const script = fileURLToPath(new URL('../../../pipeline/runs/supervise.mjs', import.meta.url));
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

/** What the supervisor writes of a command, and whether our key opens it. */
async function supervise(argv: readonly string[], timeoutMs = 20_000) {
  const child = spawn(process.execPath, [script, `${timeoutMs}`, ...argv]);
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stdin.end('nonce\nkey');
  const code = await new Promise((resolve) => child.on('close', resolve));
  const bytes = Buffer.concat(pieces);
  return { code, bytes, frame: openFrame(bytes, 'key') };
}
const shell = (line: string, timeoutMs?: number) => supervise(['sh', '-c', line], timeoutMs);

test('report, output, errors and end come out in one frame, the nonce goes in', async () => {
  const { frame, bytes } = await shell('cat <&4 >&3; echo out; echo err >&2; exit 7');
  expect(frame).toMatchObject({ code: 7, signal: null, timedOut: false, dropped: 0 });
  expect([frame?.report, frame?.stdout, frame?.stderr].map(text)).toEqual([
    'nonce',
    'out\n',
    'err\n',
  ]);
  expect(openFrame(bytes, 'guess')).toBeNull();
});

test('bytes that are no text come out as they went in', async () => {
  const { frame } = await shell("printf '\\377\\376\\000\\001' >&3");
  expect([...(frame?.report ?? [])]).toEqual([255, 254, 0, 1]);
});

test('a signal is told as such, and no exit code with it', async () => {
  const { frame } = await shell('kill -KILL $$');
  expect(frame).toMatchObject({ code: null, signal: 'SIGKILL', timedOut: false });
});

test('the limit ends the suite and keeps what it reported until then', async () => {
  const { frame } = await shell("echo so far >&3; trap '' TERM; sleep 60", 500);
  expect(frame).toMatchObject({ code: null, timedOut: true });
  expect(text(frame?.report)).toBe('so far\n');
});

test.each([
  ['is not there', ['/no/such/runner'], 127],
  ['cannot be run', ['/etc/passwd'], 126],
])('a command that %s ends as a shell would say', async (_, argv, code) => {
  expect((await supervise(argv)).frame).toMatchObject({ code });
});

test('200 MB of output are cut in the middle and counted, and the report is whole', async () => {
  const { frame } = await shell(
    'head -c 200000000 /dev/zero; echo end; head -c 3000000 /dev/zero >&3',
  );
  const kept = frame?.stdout.length ?? 0;
  expect(kept).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(kept + (frame?.dropped ?? 0)).toBe(200_000_004);
  expect(text(frame?.stdout.slice(-4))).toBe('end\n');
  expect(frame?.report.length).toBe(3_000_000);
});

describe('what runs on after the suite', () => {
  const later = (folder: string, how: string) =>
    `${how} sh -c 'sleep 1; echo late >&3; echo late; touch ${folder}/late' & echo report >&3; exit 0`;

  test.each([
    ['in the same group', ''],
    ['in a session of its own', 'setsid'],
    ['out of reach of signals', "trap '' TERM HUP INT;"],
  ])('%s is ended and changes nothing', async (_, how) => {
    const folder = tempFolder();
    const { frame } = await shell(later(folder, how));
    expect([frame?.report, frame?.stdout].map(text)).toEqual(['report\n', '']);
    await sleep(1200);
    expect(existsSync(join(folder, 'late'))).toBe(false);
  });

  test('with a session and an environment of its own is not waited for, and not heard', async () => {
    const folder = tempFolder();
    const { frame } = await shell(later(folder, 'env -i PATH="$PATH" setsid'));
    expect([frame?.report, frame?.stdout].map(text)).toEqual(['report\n', '']);
    // Only the box can end this one; it does, and here it ends by itself.
    await sleep(1200);
  });
});

test('a supervisor that the suite ends has said nothing, which is no report', async () => {
  const { frame, code, bytes } = await shell('echo report >&3; kill -KILL $PPID; sleep 1');
  expect({ frame, code, size: bytes.length }).toEqual({ frame: null, code: null, size: 0 });
});

describe('a frame is refused', () => {
  const whole = async () => (await shell('echo report >&3; echo out')).bytes;

  test('with a byte changed, missing or more', async () => {
    const bytes = await whole();
    for (let at = 0; at < bytes.length; at += 7) {
      const spoiled = Buffer.from(bytes);
      spoiled[at] = (spoiled[at] ?? 0) ^ 1;
      expect(openFrame(spoiled, 'key'), `byte ${at}`).toBeNull();
    }
    expect(openFrame(bytes.subarray(0, -1), 'key')).toBeNull();
    expect(openFrame(Buffer.concat([bytes, Buffer.from('x')]), 'key')).toBeNull();
    expect(openFrame(Buffer.concat([Buffer.from('x'), bytes]), 'key')).toBeNull();
  });

  test('where there is none', () => {
    expect(openFrame(new Uint8Array(), 'key')).toBeNull();
    expect(openFrame(Buffer.from('csw-frame \n'), 'key')).toBeNull();
    expect(openFrame(Buffer.alloc(5000, 'all fine '), 'key')).toBeNull();
  });
});

test('a suite reads neither its key nor its nonce out of the supervisor’s command line', async () => {
  const folder = tempFolder();
  const file = join(folder, 'seen');
  writeFileSync(file, '');
  await shell(`cat /proc/$PPID/cmdline /proc/$PPID/environ > ${file}`);
  const seen = readFileSync(file, 'latin1');
  expect(seen).toContain('supervise.mjs');
  expect(seen.includes('nonce') || seen.includes('\0key')).toBe(false);
});
