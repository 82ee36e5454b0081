import { expect, test } from 'vitest';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import type { contractFor, Files } from '../../support/contract-case.ts';
import { lint } from '../../support/lint-case.ts';
import { lruBase, lruContract, start } from '../../support/lru-fixture.ts';

const region = (from: string, to: string) => ({ file: 'a.ts', region: { start: from, end: to } });
const two: Files = { 'a.ts': '// A\n1\n// B\n2\n// C\n' };
const bytes = (from: number, to: number) => ({
  file: 'a.ts',
  region: {
    bytes: [from, to] as [number, number],
    prefix: `sha256:${sha256('// A\n1\n// B\n2\n// C\n'.slice(0, from))}`,
    suffix: `sha256:${sha256('// A\n1\n// B\n2\n// C\n'.slice(to))}`,
  },
});

const laid = {
  network: 'none' as const,
  commands: [{ argv: ['true'] }],
  overlay: [{ path: 'lib/a.ts', sha256: `sha256:${sha256('x')}` }],
};

test('a contract that fits its base has no finding', () => {
  expect(lint(lruBase, lruContract)).toEqual([]);
});

test.each<[string, Files, Parameters<typeof contractFor>[1], string]>([
  [
    '12 a marker that is not unique',
    { ...lruBase, 'src/lru.ts': `${start}\n${lruBase['src/lru.ts']}` },
    lruContract,
    'contract.marker-duplicate',
  ],
  [
    'a marker that is missing',
    { ...lruBase, 'src/lru.ts': 'x\n' },
    lruContract,
    'contract.marker-missing',
  ],
  [
    'a marker inside a longer line',
    { 'a.ts': 'x // A\n1\n// B\n' },
    { editable: [region('// A', '// B')] },
    'contract.marker-missing',
  ],
  [
    'markers in the wrong order',
    two,
    { editable: [region('// B', '// A')] },
    'contract.marker-order',
  ],
  [
    'regions that overlap',
    two,
    { editable: [region('// A', '// C'), region('// B', '// C')] },
    'contract.region-overlap',
  ],
  [
    'a whole file beside a region of it',
    two,
    { editable: [region('// A', '// B'), { file: 'a.ts', whole_file: true }] },
    'contract.region-overlap',
  ],
  ['bytes that touch', two, { editable: [bytes(5, 7), bytes(7, 9)] }, 'contract.region-overlap'],
  [
    'bytes whose prefix differs',
    two,
    {
      editable: [
        { ...bytes(5, 7), region: { ...bytes(5, 7).region, prefix: `sha256:${sha256('')}` } },
      ],
    },
    'contract.value',
  ],
  [
    'two entries of one name',
    two,
    {
      editable: [
        { id: 'x', ...bytes(5, 6) },
        { id: 'x', ...bytes(8, 9) },
      ],
    },
    'contract.value',
  ],
  [
    'a protected path',
    { 'package.json': '{}' },
    { editable: [{ file: 'package.json', whole_file: true }] },
    'contract.protected-path',
  ],
  [
    'a protected path to delete',
    { 'test/a.ts': '' },
    { delete: ['test/a.ts'] },
    'contract.protected-path',
  ],
  [
    'a path that climbs',
    { 'a.ts': '' },
    { editable: [{ file: '../a.ts', whole_file: true }] },
    'contract.path',
  ],
  [
    'a file that is not there',
    { 'a.ts': '' },
    { editable: [{ file: 'b.ts', whole_file: true }] },
    'contract.value',
  ],
  [
    'an unknown pack',
    { 'a.ts': '' },
    { forbidden: { packs: ['ts/everything'] } },
    'contract.pack-unknown',
  ],
  [
    'a pack lifted that there is not',
    { 'a.ts': '' },
    { forbidden: { allow: [{ rule: 'ts/all', reason: 'x' }] } },
    'contract.pack-unknown',
  ],
  [
    'a word lifted that no rule of the pack holds',
    { 'a.ts': '' },
    { forbidden: { packs: ['ts/io'], allow: [{ rule: 'ts/io#fetsh', reason: 'x' }] } },
    'contract.pack-unknown',
  ],
  [
    'a discard glob that reaches a path of the base',
    { 'out/a.ts': '' },
    { base: { manifest: '', discard: ['out/**'] } },
    'contract.value',
  ],
  [
    'a discard glob that drops what may be created',
    { 'a.ts': '' },
    { base: { manifest: '', discard: ['**/*.tmp.ts'] }, create: [{ glob: 'src/*.ts' }] },
    'contract.value',
  ],
  [
    'a create glob for names that are never created',
    { 'a.ts': '' },
    { create: [{ glob: '{test,e2e}/**/*.ts' }] },
    'contract.protected-path',
  ],
  [
    'a create glob that reaches what the build lays over the tree',
    { 'a.ts': '' },
    { create: [{ glob: 'lib/**' }], build: laid },
    'contract.protected-path',
  ],
  [
    'an editable file that the build lays over the tree, in other letters',
    { 'lib/A.ts': '' },
    { editable: [{ file: 'lib/A.ts', whole_file: true }], build: laid },
    'contract.protected-path',
  ],
  ['a path to delete that is not there', { 'a.ts': '' }, { delete: ['b.ts'] }, 'contract.value'],
  [
    'an editable folder',
    { a: ['dir', ''] },
    { editable: [{ file: 'a', whole_file: true }] },
    'contract.value',
  ],
  [
    'an editable submodule',
    { a: ['gitlink', '0'.repeat(40)] },
    { editable: [{ file: 'a', whole_file: true }] },
    'contract.value',
  ],
  [
    'an editable link',
    { a: ['link', 'b.ts'], 'b.ts': '' },
    { editable: [{ file: 'a', whole_file: true }] },
    'contract.base-invalid',
  ],
  [
    'a file below a link',
    { a: ['link', 'b'], 'b/c.ts': '' },
    { create: [{ glob: 'a/*.ts' }] },
    'contract.base-invalid',
  ],
  [
    'a pack named like a method of objects',
    { 'a.ts': '' },
    { forbidden: { packs: ['toString'] } },
    'contract.pack-unknown',
  ],
])('case %s is a contract error', (_, files, parts, code) => {
  expect(lint(files, parts)).toContain(code);
});

test('a contract of another tree is void', () => {
  expect(lint(lruBase, lruContract, true)).toEqual(['contract.base-mismatch']);
});

test('byte regions that fit have no finding', () => {
  expect(lint(two, { editable: [bytes(5, 6), bytes(12, 13)] })).toEqual([]);
});

test('what may be lifted is a pack, or a word of its rules', () => {
  const allow = (rule: string) => ({
    forbidden: { packs: ['ts/io'], allow: [{ rule, reason: 'x' }] },
  });
  expect(lint({ 'a.ts': '' }, allow('ts/io'))).toEqual([]);
  expect(lint({ 'a.ts': '' }, allow('ts/io#fetch'))).toEqual([]);
});

test('globs that drop and create apart from each other have no finding', () => {
  const parts = { base: { manifest: '', discard: ['**/*.log'] }, create: [{ glob: 'src/*.ts' }] };
  expect(lint({ 'a.ts': '' }, parts)).toEqual([]);
});
