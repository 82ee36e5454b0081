import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sweep } from '../../../pipeline/sandboxes/sweep.ts';
import type { Box } from '../../../stages/context.ts';
import { crashWithOpenBox } from './crash.ts';
import { bytes, file, type Kit, sh, signal, told } from './kit.ts';

const boxesOf = async (run: string): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`csw-box.${run}.`));

/** Behaviours of `use`: what a box is, and what is left of it. */
export function lifetimeBehaviours({ behaviour, open, prepared, inBox, name }: Kit): void {
  behaviour('lends a fresh box each time', async () => {
    const sandbox = open();
    const environment = await prepared(sandbox);
    const write = 'touch left "$HOME/left" "$TMPDIR/left"';
    await sandbox.use(environment, signal, (box) => sh(box, write));
    const look = 'ls -A . "$HOME" "$TMPDIR" | grep -c left';
    expect(await sandbox.use(environment, signal, (box) => told(box, look))).toBe('0');
  });

  behaviour('keeps what one command left for the next', async () => {
    const seen = await inBox(async (box) => {
      await sh(box, 'echo a > a; echo b > "$HOME/b"; echo c > "$TMPDIR/c"');
      return await told(box, 'cat a "$HOME/b" "$TMPDIR/c"');
    });
    expect(seen).toBe('a\nb\nc');
  });

  behaviour('holds two boxes apart that are open at once', async () => {
    const sandbox = open();
    const environment = await prepared(sandbox);
    const seen = await sandbox.use(environment, signal, async (one) => {
      await one.write([file('mine', 'one')]);
      return await sandbox.use(environment, signal, async (two) => {
        await two.write([file('other', 'two')]);
        return [await told(one, 'ls'), await told(two, 'ls')];
      });
    });
    expect(seen).toEqual(['mine', 'other']);
  });

  behaviour('refuses a box after its end, and leaves nothing of it', async () => {
    const sandbox = open('after-end');
    const environment = await prepared(sandbox);
    let kept: Box | undefined;
    await sandbox.use(environment, signal, async (box) => {
      kept = box;
      await sh(box, 'mkdir -p a/b; touch a/b/c; chmod 500 a/b; chmod 0 a');
    });
    const late = async () => await kept?.read('a', 10);
    await expect(late()).rejects.toMatchObject({ code: 'sandbox-lost' });
    expect(await boxesOf('after-end')).toEqual([]);
  });

  behaviour('removes the box when the work throws, and passes its error on', async () => {
    const sandbox = open('thrown');
    const environment = await prepared(sandbox);
    const work = sandbox.use(environment, signal, async () => {
      throw new TypeError('mine');
    });
    await expect(work).rejects.toThrow(new TypeError('mine'));
    expect(await boxesOf('thrown')).toEqual([]);
  });

  behaviour('bears that somebody else removed its folder, and ends once', async () => {
    const sandbox = open('removed');
    const environment = await prepared(sandbox);
    const ended = await sandbox.use(environment, signal, async () => {
      for (const name of await boxesOf('removed'))
        await rm(join(tmpdir(), name), { recursive: true });
      return 'ended';
    });
    expect([ended, await boxesOf('removed')]).toEqual(['ended', []]);
  });

  behaviour('leaves no descriptor open, however many boxes and commands there were', async () => {
    const sandbox = open();
    const environment = await prepared(sandbox);
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        await sandbox.use(environment, signal, (box) => sh(box, 'cat', { stdin: bytes('x') }));
      }
      return (await readdir('/proc/self/fd')).length;
    };
    // The first opens what stays open, such as a connection that is used again.
    const first = await rounds(2);
    expect(await rounds(8)).toBeLessThanOrEqual(first + 1);
  });

  behaviour('refuses an environment that was prepared for another sandbox', async () => {
    const sandbox = open();
    const environment = await prepared(sandbox);
    const other = name === 'bwrap' ? 'process' : 'bwrap';
    const foreign = { ...environment, sandbox: other } as const;
    const used = sandbox.use(foreign, signal, (box) => told(box, 'pwd'));
    await expect(used).rejects.toMatchObject({ code: 'environment-failed' });
  });

  behaviour('sweeps after kill -9 what the dead left, and nothing of the living', async () => {
    const run = `crash-${name}-${process.pid}`;
    const sandbox = open(run);
    const environment = await prepared(sandbox);
    await sandbox.use(environment, signal, async (box) => {
      const [ours] = await boxesOf(run);
      const dead = await crashWithOpenBox({ name, run });
      const neighbour = await crashWithOpenBox({ name, run: `${run}-neighbour` });
      expect(await boxesOf(run)).toHaveLength(2);
      expect(await sweep({ run })).toEqual({ containers: name === 'docker' ? 1 : 0, folders: 1 });
      expect([await boxesOf(run), await dead.isRunning()]).toEqual([[ours], false]);
      expect(await boxesOf(`${run}-neighbour`)).toHaveLength(1);
      expect(await told(box, 'echo alive')).toBe('alive');
      expect((await sweep({ run: `${run}-neighbour` })).folders).toBe(1);
      expect(await neighbour.isRunning()).toBe(false);
    });
    expect(await sweep({ run })).toEqual({ containers: 0, folders: 0 });
  });
}
