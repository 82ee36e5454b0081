import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { file, type Kit, run, sh, signal, text, told } from './kit.ts';

function walls({ behaviour, inBox, open, prepared }: Kit): void {
  behaviour('shows no file of the host but its system', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'csw-private-'));
    try {
      await writeFile(join(folder, 'key'), 'private');
      const checkout = new URL('../../../package.json', import.meta.url).pathname;
      await inBox(async (box) => {
        for (const path of [
          join(folder, 'key'),
          checkout,
          '/etc/ssh/*',
          '/root/.ssh/*',
          '/home/*',
        ]) {
          expect(await told(box, `cat ${path} 2>&1 || echo none`), path).toMatch(/none$/);
        }
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  behaviour('lets commands write in their own folders only', async () => {
    await inBox(async (box) => {
      for (const path of ['/usr/x', '/etc/x', '/bin/x', '/x', `${box.deps}/x`]) {
        expect(await told(box, `touch ${path} 2>/dev/null || echo refused`), path).toBe('refused');
      }
      expect(await told(box, 'touch a "$HOME/a" /tmp/a && echo fine')).toBe('fine');
    });
  });

  behaviour('shows the kept dependencies read-only', async () => {
    const install = [
      [
        'sh',
        '-c',
        'mkdir -p "$1/node_modules/p"; echo kept > "$1/node_modules/p/f"',
        'sh',
        '{deps}',
      ],
    ];
    const sandbox = open();
    const environment = await prepared(sandbox, { install });
    await sandbox.use(environment, signal, async (box) => {
      const spoil =
        'for f in "$0/node_modules/p/f" /node_modules/p/f; do rm -f "$f"; echo bad > "$f"; done; true';
      await run(box, ['sh', '-c', spoil, box.deps]);
      expect(await told(box, `cat ${box.deps}/node_modules/p/f /node_modules/p/f`)).toBe(
        'kept\nkept',
      );
    });
  });

  behaviour(
    'lends one empty scratch folder among the kept packages, where vite writes',
    async () => {
      const install = [['sh', '-c', 'mkdir -p "$0/node_modules/p"', '{deps}']];
      const sandbox = open();
      const environment = await prepared(sandbox, { install });
      for (const turn of ['first', 'second']) {
        await sandbox.use(environment, signal, async (box) => {
          const write = `ls -A /node_modules/.vite-temp; echo ${turn} > /node_modules/.vite-temp/a && cat /node_modules/.vite-temp/a; (: > /node_modules/b) 2>/dev/null && echo bad; true`;
          expect(await told(box, write)).toBe(turn);
        });
      }
    },
  );

  behaviour('has no rights of a superuser, and cannot win them', async () => {
    await inBox(async (box) => {
      const status = await told(box, 'grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status');
      expect(status.replaceAll(/\s+/g, ' ')).toBe(
        `CapEff: ${'0'.repeat(16)} CapBnd: ${'0'.repeat(16)} NoNewPrivs: 1`,
      );
    });
  });

  behaviour('sees no process of the host', async () => {
    await inBox(async (box) => {
      const pids = await told(box, 'ls /proc | grep -c "^[0-9]"');
      expect(Number(pids)).toBeLessThan(12);
      expect(await told(box, `kill -0 ${process.pid} 2>/dev/null || echo none`)).toBe('none');
    });
  });

  behaviour('holds a command that forks without end to a number of processes', async () => {
    // Bounded by itself: should the limit fail, 700 sleepers end with the command.
    const fork = 'i=0; while [ $i -lt 700 ]; do sleep 20 & i=$((i+1)); done; echo all';
    await inBox(async (box) => {
      const exit = await sh(box, fork, { timeoutMs: 20_000 });
      expect(text(exit.stdout)).not.toContain('all');
      expect(text(exit.stderr)).toMatch(/fork/i);
      expect(await told(box, 'echo alive')).toBe('alive');
    });
  });
}

const MIB = 1024 ** 2;
const EAT = 'print("start", flush=True); x = bytearray(600_000_000); print("fed", len(x))';

function holds({ behaviour, inBox }: Kit): void {
  behaviour('shows a command the work folder read-only but for the folders it names', async () => {
    await inBox(async (box) => {
      await box.write([file('a', 'kept'), file('out/b', 'old')]);
      const spoil = 'echo x > a; rm -f a; mv a z; mkdir new; rm -rf out; echo x > out/c; true';
      await sh(box, spoil, { readOnly: { writable: ['out'] } });
      expect((await box.tree()).map(({ path }) => path)).toEqual(['a', 'out/c']);
      expect(await told(box, 'cat a; echo y > a; cat a')).toBe('kepty');
      const wide = { readOnly: { writable: [] } };
      expect((await sh(box, 'echo x > out/d', wide)).code).not.toBe(0);
    });
  });

  behaviour('ends a command that needs more memory than it may have, and says so', async () => {
    await inBox(async (box) => {
      const most = { memoryBytes: 200 * MIB };
      const hungry = await run(box, ['python3', '-c', EAT], { most });
      expect([text(hungry.stdout), hungry.outOf]).toEqual(['start\n', 'memory']);
      expect(hungry.code).not.toBe(0);
      const [modest, free] = [
        await sh(box, 'true', { most }),
        await run(box, ['python3', '-c', EAT]),
      ];
      expect([modest.code, modest.outOf, free.code, free.outOf]).toEqual([
        0,
        undefined,
        0,
        undefined,
      ]);
    });
  });
}

/** Behaviours of a sandbox that claims isolation. */
export function isolationBehaviours(kit: Kit): void {
  holds(kit);
  walls(kit);
}
