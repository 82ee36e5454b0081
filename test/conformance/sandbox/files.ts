import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bytes, file, type Kit, sh, text, told } from './kit.ts';

/** Behaviours of `read`, `write` and `tree`. */
export function fileBehaviours({ behaviour, inBox }: Kit): void {
  behaviour('writes files, programs and links as what they are', async () => {
    await inBox(async (box) => {
      await box.write([
        file('plain', 'x'),
        file('bin/tool', '#!/bin/sh\necho ran\n', 'exec'),
        file('link', 'plain', 'link'),
      ]);
      expect(await told(box, 'stat -c "%a %F %N" plain bin/tool link')).toMatch(
        /^644 regular file .*\n755 regular file .*\n777 symbolic link .*plain/,
      );
      expect(await told(box, './bin/tool')).toBe('ran');
    });
  });

  behaviour('lets commands change what was written', async () => {
    await inBox(async (box) => {
      await box.write([file('a', 'one'), file('b', 'gone')]);
      await sh(box, 'echo two > a; rm b; mkdir c; echo new > c/d');
      expect(text((await box.read('a', 100)) ?? bytes(''))).toBe('two\n');
      expect(await box.read('b', 100)).toBeNull();
      expect((await box.tree()).map(({ path }) => path)).toEqual(['a', 'c/d']);
    });
  });

  behaviour('keeps the private folder and the temporary one out of the tree', async () => {
    await inBox(async (box) => {
      await box.write([file(`${box.outside}/x/report`, 'seen')]);
      await sh(box, 'echo y > "$TMPDIR/y"');
      expect(await told(box, `cat ${box.outside}/x/report "$TMPDIR/y"`)).toBe('seeny');
      expect(text((await box.read(`${box.outside}/x/report`, 100)) ?? bytes(''))).toBe('seen');
      expect(await box.tree()).toEqual([]);
    });
  });

  behaviour('refuses every path that leaves the box', async () => {
    await inBox(async (box) => {
      const paths = [
        '../x',
        'a/../../x',
        '/etc/passwd',
        `${box.outside}/../x`,
        '/',
        '',
        '.',
        'a\0b',
      ];
      for (const path of paths) {
        const refused = { code: 'sandbox-failed' };
        await expect(box.write([file(path, 'x')]), `write "${path}"`).rejects.toMatchObject(
          refused,
        );
      }
      for (const path of ['../x', '/etc/passwd', 'a/../../x', '/']) {
        const refused = { code: 'sandbox-failed' };
        await expect(box.read(path, 10), `read "${path}"`).rejects.toMatchObject(refused);
      }
    });
  });

  behaviour('follows no link when it reads, and none on the way', async () => {
    await inBox(async (box) => {
      await sh(box, 'ln -s /etc/passwd file; ln -s /etc folder; mkfifo pipe; mkdir dir');
      for (const path of [
        'file',
        'folder/passwd',
        'pipe',
        'dir',
        'missing',
        'dir/missing',
        'file/x',
      ]) {
        expect(await box.read(path, 1000), path).toBeNull();
      }
    });
  });

  behaviour('follows no link when it writes, and replaces what stands in the way', async () => {
    const away = await mkdtemp(join(tmpdir(), 'csw-away-'));
    await writeFile(join(away, 'secret'), 'untouched');
    try {
      await inBox(async (box) => {
        await box.write([file('link', join(away, 'secret'), 'link'), file('folder', away, 'link')]);
        await sh(box, 'mkdir dir; touch dir/x plain');
        await box.write([
          file('link', 'mine'),
          file('folder/secret', 'mine'),
          file('dir', 'mine'),
          file('plain/below', 'mine'),
        ]);
        expect(await told(box, 'cat link folder/secret dir plain/below')).toBe('mine'.repeat(4));
      });
      expect(await readFile(join(away, 'secret'), 'utf8')).toBe('untouched');
      expect(await readdir(away)).toEqual(['secret']);
    } finally {
      await rm(away, { recursive: true });
    }
  });

  behaviour('cuts a file that is longer than was asked for', async () => {
    await inBox(async (box) => {
      await box.write([file('long', '0123456789')]);
      expect(text((await box.read('long', 4)) ?? bytes(''))).toBe('0123');
      expect(text((await box.read('long', 10)) ?? bytes(''))).toBe('0123456789');
    });
  });

  behaviour(
    'lists the tree sorted by bytes, every kind by its name, links unfollowed',
    async () => {
      const tree = await inBox(async (box) => {
        await box.write([file('b/c.txt', 'x'), file('B', ''), file('é', ''), file('b.txt', '')]);
        await box.write([
          file('a', 'b', 'link'),
          file('run', '', 'exec'),
          file('dangling', 'no', 'link'),
        ]);
        await sh(box, 'mkdir empty; mkfifo pipe; printf x > "$(printf "bad\\377")"; chmod 0 B');
        return await box.tree();
      });
      const [x, nothing] = ['2d711642b726b044', 'e3b0c44298fc1c14'];
      expect(
        tree.map(({ path, kind, sha256 }) => `${kind} ${path} ${sha256.slice(0, 16)}`),
      ).toEqual([
        `file B ${nothing}`,
        'link a 3e23e8160039594a',
        `file b.txt ${nothing}`,
        `file b/c.txt ${x}`,
        `other bad\\xff ${nothing}`,
        expect.stringMatching(/^link dangling /),
        `dir empty ${nothing}`,
        `other pipe ${nothing}`,
        `exec run ${nothing}`,
        `file é ${nothing}`,
      ]);
    },
  );
}
