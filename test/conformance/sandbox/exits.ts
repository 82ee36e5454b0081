import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { file, type Kit, run, sh, text } from './kit.ts';

const CODES = [1, 2, 42, 100, 124, 125, 126, 127, 128, 130, 137, 143, 255];

function codes({ behaviour, inBox }: Kit): void {
  behaviour('passes every exit code on as it is', async () => {
    await inBox(async (box) => {
      const seen: (number | null)[] = [];
      for (const code of CODES) seen.push((await sh(box, `exit ${code}`)).code);
      expect(seen).toEqual(CODES);
    });
  });

  behaviour('tells a kill of its own doing from a limit and from want of memory', async () => {
    await inBox(async (box) => {
      const exit = await sh(box, 'echo before; kill -KILL $$');
      expect([text(exit.stdout), exit.timedOut, exit.outOf]).toEqual([
        'before\n',
        false,
        undefined,
      ]);
      expect([null, 137]).toContain(exit.code);
      expect((await sh(box, 'echo alive')).code).toBe(0);
    });
  });
}

/** Writes 6 MB to each stream in pieces of odd sizes, in turns, as bytes that are no text. */
const TORRENT = `
const { writeSync } = require('node:fs');
const piece = (seed, size) => Buffer.from(Array.from({ length: size }, (_, at) => (at * seed) & 255));
const put = (to, bytes) => {
  for (let at = 0; at < bytes.length; ) {
    try { at += writeSync(to, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
  }
};
for (let turn = 0; turn < 200; turn += 1) { put(1, piece(7, 30011)); put(2, piece(13, 30013)); }
`;
const piece = (seed: number, size: number) =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * seed) & 255));
const sum = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Keeps this process from reading anything, so that the pipes run full. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function torrents({ behaviour, inBox }: Kit): void {
  behaviour('keeps two full streams apart, byte for byte, while nobody reads', async () => {
    await inBox(async (box) => {
      await box.write([file('torrent.cjs', TORRENT)]);
      const going = run(box, ['node', 'torrent.cjs'], { maxOutputBytes: 20_000_000 });
      const busy = setInterval(() => block(60), 5);
      const exit = await going.finally(() => clearInterval(busy));
      expect([exit.code, exit.droppedBytes]).toEqual([0, 0]);
      const [out, err] = [piece(7, 30_011), piece(13, 30_013)];
      expect(sum(exit.stdout)).toBe(sum(...Array.from({ length: 200 }, () => out)));
      expect(sum(exit.stderr)).toBe(sum(...Array.from({ length: 200 }, () => err)));
    });
  });
}

/** Behaviours of `exec` that concern codes and full streams. */
export function exitBehaviours(kit: Kit): void {
  codes(kit);
  torrents(kit);
}
