import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openPatches } from '../../../pipeline/repos/patches.ts';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { manifestText } from '../../../stages/contract/manifest.ts';
import { git, tempFolder } from '../../support/temp-repo.ts';

type Tree = Readonly<Record<string, string | Uint8Array | readonly [TreeEntry['kind'], string]>>;

const bytes = (text: string | Uint8Array) => Buffer.from(text);

async function patcher() {
  const blobs = new Map<string, Uint8Array>();
  const put = (content: Uint8Array): string => {
    const name = createHash('sha256').update(content).digest('hex');
    blobs.set(name, content);
    return name;
  };
  const get = (name: string): Uint8Array => blobs.get(name) ?? new Uint8Array();
  const tree = (files: Tree): string =>
    put(
      manifestText(
        Object.entries(files).map(([path, value]) => {
          const isPair = Array.isArray(value);
          const content = bytes(isPair ? value[1] : (value as string | Uint8Array));
          return {
            path,
            kind: isPair ? value[0] : 'file',
            size: content.length,
            sha256: put(content),
          };
        }),
      ),
    );
  const patches = await openPatches({ ledger: { get }, scratch: tempFolder() });
  return { patches, tree };
}

const before: Tree = {
  'kept.txt': 'same\n',
  'gone.txt': 'bye\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'latin.txt': Buffer.from([0xe9, 10, 0x41, 10]),
  'data.bin': Buffer.from([0, 1, 2]),
  'run.sh': 'echo\n',
  'sp ace "q".txt': 'x',
};
const after: Tree = {
  'kept.txt': 'same\n',
  'crlf.txt': 'one\r\nTWO\r\nthree',
  'latin.txt': Buffer.from([0xe8, 10, 0x41, 10]),
  'data.bin': Buffer.from([0, 1, 2, 255]),
  'run.sh': ['exec', 'echo\n'],
  'sp ace "q".txt': 'y',
  'empty.txt': '',
  'new/über.txt': 'ü\n',
  link: ['link', 'kept.txt'],
};

describe('a patch', () => {
  test('applied to the tree before gives the tree after, byte for byte', async () => {
    const { patches, tree } = await patcher();
    const patch = await patches.diff(tree(before), tree(after));
    const work = tempFolder();
    git(work, ['init', '--quiet']);
    for (const [path, content] of Object.entries(before))
      writeFileSync(join(work, path), bytes(content as string));
    git(work, ['add', '-A']);
    git(work, ['apply', '--index', '--whitespace=nowarn'], patch);
    git(work, ['commit', '--quiet', '-m', 'after']);
    for (const [path, value] of Object.entries(after)) {
      const content = Array.isArray(value) ? value[1] : value;
      expect(git(work, ['cat-file', 'blob', `HEAD:${path}`]), path).toBe(
        bytes(content as string).toString('utf8'),
      );
    }
    expect(git(work, ['ls-tree', '-r', 'HEAD', 'run.sh', 'link', 'gone.txt'])).toMatch(
      /^120000.*\n100755.*\n$/,
    );
  });

  test('of equal trees is empty, and both ways differ', async () => {
    const { patches, tree } = await patcher();
    const [one, two] = [tree({ a: '1' }), tree({ a: '2' })];
    expect(await patches.diff(one, one)).toHaveLength(0);
    const [there, back] = await Promise.all([patches.diff(one, two), patches.diff(two, one)]);
    expect(Buffer.from(there).equals(Buffer.from(back))).toBe(false);
  });

  test('names a submodule by its commit', async () => {
    const { patches, tree } = await patcher();
    const patch = await patches.diff(
      tree({ a: '1' }),
      tree({ a: '1', dep: ['gitlink', 'a'.repeat(40)] }),
    );
    expect(Buffer.from(patch).toString()).toContain(`+Subproject commit ${'a'.repeat(40)}`);
  });
});

describe('the settings of the host', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('change no byte of a patch or a merge', async () => {
    const plain = await patcher();
    const wanted = await plain.patches.diff(plain.tree(before), plain.tree(after));
    hostileHome();
    const hostile = await patcher();
    const got = await hostile.patches.diff(hostile.tree(before), hostile.tree(after));
    expect(Buffer.from(got).equals(Buffer.from(wanted))).toBe(true);
    const merged = await hostile.patches.merge(
      bytes('a\nb\nc\n'),
      bytes('A\nb\nc\n'),
      bytes('a\nb\nC\n'),
    );
    expect(Buffer.from(merged ?? []).toString()).toBe('A\nb\nC\n');
  });

  test('do bite a plain git, so the test above means something', () => {
    const home = hostileHome();
    const work = tempFolder();
    git(work, ['init', '--quiet']);
    writeFileSync(join(work, 'a'), '1\n');
    git(work, ['add', 'a']);
    writeFileSync(join(work, 'a'), '2\n');
    const env = { PATH: '/usr/bin:/bin', HOME: home };
    expect(execFileSync('git', ['diff'], { cwd: work, env }).toString()).not.toContain('--- a/a');
  });
});

/** A home whose git settings alter every porcelain command, and a shell with all the variables that trip simple-git. */
function hostileHome(): string {
  const home = tempFolder();
  mkdirSync(join(home, 'hooks'));
  writeFileSync(
    join(home, '.gitconfig'),
    [
      '[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n\texternal = /bin/true\n\talgorithm = patience\n\tcontext = 0',
      '[color]\n\tui = always',
      '[core]\n\tattributesFile = ~/attributes\n\tautocrlf = true\n\thooksPath = ~/hooks\n\tpager = /bin/false',
      '[merge]\n\tconflictStyle = diff3\n[apply]\n\twhitespace = fix\n',
    ].join('\n'),
  );
  writeFileSync(join(home, 'attributes'), '* -diff\n*.txt text eol=lf\n');
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', home);
  vi.stubEnv('GIT_EXTERNAL_DIFF', '/bin/true');
  vi.stubEnv('GIT_DIR', '/nowhere');
  for (const name of ['PAGER', 'EDITOR', 'GIT_ASKPASS', 'GIT_PAGER'])
    vi.stubEnv(name, '/bin/false');
  return home;
}

describe('a merge', () => {
  test.each([
    ['both sides in different lines', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
    ['one side unchanged', 'a', 'a', 'b', 'b'],
    ['both sides the same', 'a', 'b', 'b', 'b'],
    ['CRLF kept', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC', 'A\r\nb\r\nC'],
    ['the same line', 'a\n', 'b\n', 'c\n', null],
    ['binary on both sides', 'a\0', 'b\0', 'c\0', null],
    ['binary on one side only', 'a\0', 'a\0', 'c\0', 'c\0'],
  ])('%s', async (_, base, ours, theirs, merged) => {
    const { patches } = await patcher();
    const got = await patches.merge(bytes(base), bytes(ours), bytes(theirs));
    expect(got === null ? null : Buffer.from(got).toString()).toBe(merged);
  });

  test('keeps bytes that are no UTF-8', async () => {
    const { patches } = await patcher();
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const got = await patches.merge(latin('é\nb\nc\n'), latin('è\nb\nc\n'), latin('é\nb\nü\n'));
    expect(Buffer.from(got ?? []).toString('latin1')).toBe('è\nb\nü\n');
  });

  test('asked twice is made once', async () => {
    const { patches } = await patcher();
    const sides = ['a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'].map(bytes);
    const [base, ours, theirs] = sides as [Buffer, Buffer, Buffer];
    expect(await patches.merge(base, ours, theirs)).toBe(await patches.merge(base, ours, theirs));
  });
});
