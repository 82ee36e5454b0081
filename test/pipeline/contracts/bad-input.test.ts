import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, head, lines, pinned, place, regional } from '../../support/contract-verb.ts';

const files = { 'a.ts': lines('  return 1;\n'), 'src/b.ts': 'export const b = 1;\n' };
const all = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

/** The verdict on a copy of the base after something was done to it; nothing may be written by the check. */
async function after(work: (folder: string) => void) {
  const { folder, file, tree } = place(regional, files);
  const candidate = tree('candidate');
  work(candidate);
  const before = all(folder);
  const checked = await call([
    'check',
    file,
    '--base',
    tree('candidate-base'),
    '--candidate',
    candidate,
    ...pinned,
  ]);
  expect(all(folder).filter((name) => !name.startsWith('candidate-base'))).toEqual(before);
  const [first] = (checked.last.reasons ?? []) as { code: string; path: string }[];
  return [checked.code, checked.last.verdict, first?.code, first?.path];
}

describe('a candidate that is no tree, or whose region is gone, is refused by name', () => {
  test.each<[string, (folder: string) => void, readonly unknown[]]>([
    [
      'a pipe that nobody writes to',
      (folder) => execFileSync('mkfifo', [join(folder, 'pipe')]),
      [1, 'invalid', 'tree.kind', 'pipe'],
    ],
    [
      'a hard link',
      (folder) => linkSync(join(folder, 'a.ts'), join(folder, 'c.ts')),
      [1, 'invalid', 'tree.hardlink', 'a.ts'],
    ],
    [
      'a repository in a folder',
      (folder) => mkdirSync(join(folder, 'src/.GIT')),
      [1, 'invalid', 'tree.git-path', 'src/.GIT'],
    ],
    [
      'a name that other systems take for a repository',
      (folder) => writeFileSync(join(folder, 'git~1'), ''),
      [1, 'invalid', 'tree.git-path', 'git~1'],
    ],
    [
      'a name that is not UTF-8',
      (folder) =>
        writeFileSync(Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff])]), ''),
      [1, 'invalid', 'tree.path', 'x\\xff'],
    ],
    [
      'a link out of the tree',
      (folder) => symlinkSync('../../etc', join(folder, 'l')),
      [1, 'invalid', 'tree.link', 'l'],
    ],
    [
      'a file of two gigabytes, which is not read',
      (folder) => {
        writeFileSync(join(folder, 'big'), '');
        truncateSync(join(folder, 'big'), 2 * 1024 ** 3);
      },
      [1, 'invalid', 'tree.too-large', 'big'],
    ],
    [
      'a file with a region that was deleted',
      (folder) => rmSync(join(folder, 'a.ts')),
      [1, 'violates', 'path.removed', 'a.ts'],
    ],
    [
      'a folder where the file was',
      (folder) => {
        rmSync(join(folder, 'a.ts'));
        mkdirSync(join(folder, 'a.ts'));
      },
      [1, 'violates', 'path.kind', 'a.ts'],
    ],
  ])('%s', async (_, work, expected) => {
    expect(await after(work)).toEqual(expected);
  });
});

describe('a call that names no contract, tree or proposal that can be used ends with 2', () => {
  test('a contract that is a pipe or a folder is not waited for', async () => {
    const { folder, tree } = place(regional, files);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const what of [pipe, folder])
      for (const argv of [
        ['explain', what],
        ['lint', what, '--base', tree('b')],
      ]) {
        const { code, err } = await call([...argv, '--json']);
        expect([code, err]).toEqual([2, expect.stringContaining('no regular file')]);
      }
  });

  test('a contract larger than any is not read', async () => {
    const { file } = place(regional, files);
    truncateSync(file, 1024 ** 3);
    const { code, last } = await call(['explain', file, '--json']);
    expect([code, last.error]).toMatchObject([2, { code: 'contract.too-large' }]);
  });

  test('a contract that opens itself to change is unsound', async () => {
    const own = `${head}editable: [{file: rules/c.yaml, whole_file: true}]\n`;
    const { file, tree } = place(own, { ...files, 'rules/c.yaml': own });
    const { code, last } = await call(['lint', file, '--base', tree('b'), ...pinned]);
    expect([code, last.findings]).toMatchObject([
      1,
      [{ code: 'contract.protected-path', path: 'rules/c.yaml' }],
    ]);
  });

  test('a proposal that is not UTF-8 makes no candidate', async () => {
    const { folder, file, tree } = place(regional, files);
    const proposal = join(folder, 'p.json');
    writeFileSync(proposal, Uint8Array.from([0x7b, 0xff, 0x7d]));
    const argv = ['check', file, '--base', tree('b'), '--proposal', proposal, ...pinned];
    expect(await call(argv)).toMatchObject({
      code: 1,
      last: { verdict: 'invalid', reasons: [{ code: 'proposal.encoding' }] },
    });
  });

  test('a build that the contract does not pin cannot be asked for', async () => {
    const { file, tree } = place(regional, files);
    const argv = ['check', file, '--base', tree('b'), '--candidate', tree('b')];
    const { code, err } = await call([...argv, '--build', ...pinned]);
    expect([code, err]).toEqual([2, expect.stringContaining('a contract that pins its build')]);
  });
});
