import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readContext } from '../../../pipeline/images/build-context.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Names in a ustar archive. */
function namesIn(archive: Uint8Array): string[] {
  const names: string[] = [];
  for (let at = 0; archive[at] !== 0 && at < archive.length; ) {
    const field = (from: number, length: number) =>
      Buffer.from(archive.subarray(at + from, at + from + length))
        .toString()
        .replace(/\0.*$/s, '');
    names.push(field(0, 100));
    at += 512 * (1 + Math.ceil(Number.parseInt(field(124, 12), 8) / 512));
  }
  return names;
}

const project = {
  Dockerfile: 'FROM scratch\n',
  'src/a.js': 'a',
  'src/b.log': 'b',
  'keep.log': 'k',
  '.git/HEAD': 'ref',
  'node_modules/x/index.js': 'x',
  '.dockerignore': '# logs\n**/*.log\n!keep.log\n',
};

test('what git keeps, installed packages and ignored files are not sent', async () => {
  const { archive, dockerfile } = await readContext(join(folderWith(project), 'Dockerfile'));
  expect(dockerfile).toBe('Dockerfile');
  expect(namesIn(archive)).toEqual(['.dockerignore', 'Dockerfile', 'keep.log', 'src/', 'src/a.js']);
});

test('the digest follows the bytes that are sent, and nothing else', async () => {
  const digestOf = async (root: string) => (await readContext(join(root, 'Dockerfile'))).digest;
  const root = folderWith(project);
  const first = await digestOf(root);
  expect(await digestOf(folderWith(project))).toBe(first);
  writeFileSync(join(root, 'src/b.log'), 'another');
  expect(await digestOf(root)).toBe(first);
  writeFileSync(join(root, 'src/a.js'), 'another');
  expect(await digestOf(root)).not.toBe(first);
});

test('a Dockerfile that is ignored is still sent, and a link is sent as a link', async () => {
  const root = folderWith({ Dockerfile: 'FROM scratch\n', '.dockerignore': '*\n' });
  expect(namesIn((await readContext(join(root, 'Dockerfile'))).archive)).toEqual(['Dockerfile']);
  rmSync(join(root, '.dockerignore'));
  symlinkSync('Dockerfile', join(root, 'link'));
  expect(namesIn((await readContext(join(root, 'Dockerfile'))).archive)).toContain('link');
});
