import { expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { lintContract } from '../../../stages/contract/lint.ts';
import { contractFor, type Files, keepFiles } from '../../support/contract-case.ts';
import { lruBase, lruContract, start } from '../../support/lru-fixture.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

const parse = await openParse();

function lint(files: Files, parts: Parameters<typeof contractFor>[1], isOther = false) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const contract = contractFor(isOther ? sha256('another tree') : base, parts);
  return lintContract(contract, base, ledger.get, parse).map(({ code }) => code);
}

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

test('a region that cuts a comment in two cannot be held by a frame', () => {
  expect(lint(two, { editable: [bytes(8, 9)] })).toContain('contract.frame-unavailable');
});

test('byte regions that fit have no finding', () => {
  expect(lint(two, { editable: [bytes(5, 6), bytes(12, 13)] })).toEqual([]);
});
