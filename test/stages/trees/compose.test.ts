import { describe, expect, test } from 'vitest';
import { applyStep } from '../../../stages/trees/compose.ts';
import { changedPaths, readTree } from '../../../stages/trees/trees.ts';
import { storyContext } from '../../support/context.ts';
import { type Files, keepFiles } from '../../support/contract-case.ts';

/** The tree that a step makes of another, as kind and text by path; the path of a conflict otherwise. */
async function step(before: Files, onto: Files, after: Files) {
  const { context, ledger } = await storyContext({ merges: true });
  const [from, mine, to] = [before, onto, after].map((files) => keepFiles(ledger, files));
  const composed = await applyStep(mine ?? '', from ?? '', to ?? '', context);
  if (!composed.ok) return `conflict in ${composed.path}`;
  return Object.fromEntries(
    readTree(ledger, composed.tree).map(({ path, kind, sha256 }) => [
      path,
      `${kind} ${Buffer.from(ledger.get(sha256)).toString('latin1')}`,
    ]),
  );
}

const lines = (...changed: readonly string[]) => {
  const [first = 'a', last = 'e'] = changed;
  return `${first}\nb\nc\nd\n${last}\n`;
};
const binary = (byte: number) => new Uint8Array([0, 1, byte, 255]);

describe('a step applies to another tree', () => {
  test.each<[string, Files, Files, Files, object]>([
    [
      'where nothing else changed',
      { f: '1\n' },
      { f: '1\n', g: 'x' },
      { f: '2\n' },
      { f: 'file 2\n', g: 'file x' },
    ],
    ['where it is done already', { f: '1\n' }, { f: '2\n' }, { f: '2\n' }, { f: 'file 2\n' }],
    [
      'beside other lines',
      { f: lines() },
      { f: lines('A') },
      { f: lines('a', 'E') },
      { f: `file ${lines('A', 'E')}` },
    ],
    ['adding a file', {}, { g: 'x' }, { f: 'new' }, { f: 'file new', g: 'file x' }],
    ['deleting a file', { f: 'old' }, { f: 'old', g: 'x' }, {}, { g: 'file x' }],
    ['renaming a file', { f: 'same\n' }, { f: 'same\n' }, { h: 'same\n' }, { h: 'file same\n' }],
    [
      'setting the executable bit',
      { f: 'x\n' },
      { f: 'x\n' },
      { f: ['exec', 'x\n'] },
      { f: 'exec x\n' },
    ],
    [
      'setting the bit where others changed text',
      { f: lines() },
      { f: lines('A') },
      { f: ['exec', lines()] },
      { f: `exec ${lines('A')}` },
    ],
    [
      'keeping a bit that others set',
      { f: lines() },
      { f: ['exec', lines()] },
      { f: lines('A') },
      { f: `exec ${lines('A')}` },
    ],
    [
      'replacing a binary file',
      { f: binary(1) },
      { f: binary(1) },
      { f: binary(2) },
      { f: 'file \u0000\u0001\u0002ÿ' },
    ],
    [
      'moving a link',
      { f: ['link', 'a'] },
      { f: ['link', 'a'] },
      { f: ['link', 'b'] },
      { f: 'link b' },
    ],
    [
      'with line ends of CRLF, byte for byte',
      { f: 'a\r\nb\r\nc\r\nd\r\ne\r\n' },
      { f: 'A\r\nb\r\nc\r\nd\r\ne\r\n' },
      { f: 'a\r\nb\r\nc\r\nd\r\nE\r\n' },
      { f: 'file A\r\nb\r\nc\r\nd\r\nE\r\n' },
    ],
    [
      'with bytes that are no UTF-8',
      { f: Buffer.from('\xe9\nb\nc\nd\n', 'latin1') },
      { f: Buffer.from('\xe9\nb\nc\nd\n', 'latin1') },
      { f: Buffer.from('\xe8\nb\nc\nd\n', 'latin1') },
      { f: 'file è\nb\nc\nd\n' },
    ],
  ])('%s', async (_, before, onto, after, wanted) => {
    expect(await step(before, onto, after)).toEqual(wanted);
  });

  test.each<[string, Files, Files, Files]>([
    ['both change one line', { f: lines() }, { f: lines('A') }, { f: lines('Z') }],
    ['both add a file of their own', {}, { f: 'mine' }, { f: 'theirs' }],
    ['one deletes what the other changes', { f: 'x\n' }, {}, { f: 'y\n' }],
    ['one changes what the other deletes', { f: 'x\n' }, { f: 'y\n' }, {}],
    ['both change a binary file', { f: binary(1) }, { f: binary(2) }, { f: binary(3) }],
    ['a file becomes a link', { f: 'x\n' }, { f: ['link', 'a'] }, { f: 'y\n' }],
    [
      'submodules move apart',
      { f: ['gitlink', '1'] },
      { f: ['gitlink', '2'] },
      { f: ['gitlink', '3'] },
    ],
  ])('and conflicts where %s', async (_, before, onto, after) => {
    expect(await step(before, onto, after)).toBe('conflict in f');
  });

  test('only on the paths that are asked for', async () => {
    const { context, ledger } = await storyContext();
    const [before = '', after = ''] = [
      { f: '1', g: '1' },
      { f: '2', g: '2' },
    ].map((files) => keepFiles(ledger, files));
    const composed = await applyStep(before, before, after, context, (path) => path === 'g');
    expect(composed.ok && changedPaths(ledger, before, composed.tree)).toEqual(['g']);
  });
});
