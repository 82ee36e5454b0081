import { expect, test } from 'vitest';
import { overlayPart, treePart } from '../../../pipeline/runs/expected-tree.ts';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';

const entry = (path: string, kind: TreeEntry['kind'] = 'file'): TreeEntry => ({
  path,
  kind,
  size: 0,
  sha256: sha256(path),
});
const overlay = [{ path: 'test/a.ts', sha256: sha256('hidden') }];
const left = (...entries: TreeEntry[]) => treePart(entries, overlay).map(({ path }) => path);

test.each([
  ['the file at its own path', entry('test/a.ts')],
  ['a link where its folder must be', entry('test', 'link')],
  ['a file below a folder of its name', entry('test/a.ts/b')],
  ['a submodule', entry('vendor', 'gitlink')],
])('an overlay leaves out %s', (_, inTheWay) => {
  expect(left(entry('src/a.ts'), inTheWay)).toEqual(['src/a.ts']);
});

test('a path that only begins alike stays', () => {
  expect(left(entry('test/a.tsx'), entry('tests/a.ts'))).toEqual(['test/a.tsx', 'tests/a.ts']);
});

test('the overlay itself is laid as plain files', () => {
  expect(overlayPart(overlay)).toMatchObject([{ path: 'test/a.ts', kind: 'file' }]);
});
