import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import {
  byPathBytes,
  manifestRoot,
  manifestText,
  parseManifest,
} from '../../../stages/contract/manifest.ts';

const entry = (kind: TreeEntry['kind'], path: string, text: string): TreeEntry => ({
  path,
  kind,
  size: new TextEncoder().encode(text).length,
  sha256: sha256(text),
});

const vector = [
  entry('link', 'l', 'a.txt'),
  entry('file', 'src/é.ts', 'x\n'),
  entry('file', 'a.txt', 'hello\n'),
  entry('dir', 'empty', ''),
  entry('exec', 'bin/run', '#!/bin/sh\n'),
];

test('the published vector has its root, whatever the order of the entries', () => {
  expect(manifestRoot(vector)).toBe(
    'bd34dcb49115c29ae4c513e56c1120ca4cbf319f2bb6f25caafd04cfb0d4f129',
  );
  expect(new TextDecoder().decode(manifestText(vector))).toContain(
    'dir 040000 0 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 5:empty\n',
  );
});

test('a manifest reads back to the same entries and bytes', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => /^[^\n\r]+$/.test(text));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      const text = manifestText(names.map((path) => entry('file', path, path)));
      expect(manifestText(parseManifest(text))).toEqual(text);
    }),
    { numRuns: 60 },
  );
});

test('paths are ordered by bytes, also above the basic plane', () => {
  expect(['\u{1F600}', '\uFFFD', 'a'].toSorted(byPathBytes)).toEqual(['a', '\uFFFD', '\u{1F600}']);
});

test('a path that occurs twice is refused', () => {
  expect(() => manifestText([entry('file', 'a', ''), entry('exec', 'a', '')])).toThrow(
    '"a" occurs twice',
  );
});

const good = new TextDecoder().decode(manifestText(vector));
test.each([
  ['no header', good.slice(1)],
  ['a cut last line', good.slice(0, -1)],
  ['a mode of another kind', good.replace('100755', '100644')],
  ['a wrong length', good.replace('5:a.txt', '6:a.txt')],
  ['a size with a leading zero', good.replace(' 6 ', ' 06 ')],
  ['lines out of order', good.replace('5:empty', '5:zmpty')],
])('%s is not a manifest', (_, text) => {
  expect(() => parseManifest(new TextEncoder().encode(text))).toThrow();
});
