import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTree } from '../../../stages/contract/conforms.ts';
import { makeCandidate } from '../../../stages/solve/candidate.ts';
import type { Proposal } from '../../../stages/solve/proposal.ts';
import { contractFor, type Files, keepFiles } from '../../support/contract-case.ts';
import { lruBase, lruContract } from '../../support/lru-fixture.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

type Edits = Extract<Proposal, { kind: 'edits' }>['value'];

function make(files: Files, proposal: Proposal, parts: Parameters<typeof contractFor>[1] = {}) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const made = makeCandidate({ contract: contractFor(base, parts), base }, proposal, ledger);
  if (!made.ok) return made.code;
  const tree = readTree(made.tree, ledger.get);
  return (path: string) => {
    const entry = tree.get(path);
    return (
      entry && {
        kind: entry.kind,
        text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(ledger.get(entry.sha256)),
      }
    );
  };
}
const edits = (parts: Partial<Edits>): Proposal => ({
  kind: 'edits',
  value: { edits: [], create: [], delete: [], ...parts },
});
const edit = (file: string, find: string, replace: string) => ({ file, find, replace });

const files: Files = {
  'a.ts': 'one two two\r\nthree\r\n',
  run: ['exec', 'x\n'],
  link: ['link', 'a.ts'],
  'README.md': 'r\n',
};

test.each<[string, Partial<Edits>, string]>([
  ['47 a path that climbs', { create: [{ file: '../x', text: '' }] }, 'proposal.path'],
  ['48 an absolute path', { edits: [edit('/testbed/a.ts', 'one', '')] }, 'proposal.path'],
  ['49 a path with an empty part', { edits: [edit('src//a.ts', 'one', '')] }, 'proposal.path'],
  ['49 a path that begins with ./', { edits: [edit('./a.ts', 'one', '')] }, 'proposal.path'],
  [
    '50 a component of 256 bytes',
    { create: [{ file: 'x'.repeat(256), text: '' }] },
    'proposal.path',
  ],
  ['a device name', { create: [{ file: 'aux.ts', text: '' }] }, 'proposal.path'],
  [
    'a path that differs in case only',
    { create: [{ file: 'readme.md', text: '' }] },
    'proposal.path',
  ],
  ['a path below a file', { create: [{ file: 'a.ts/b', text: '' }] }, 'proposal.path'],
  ['a deletion of nothing', { delete: ['b.ts'] }, 'proposal.path'],
  ['a find that is not there', { edits: [edit('a.ts', 'four', '')] }, 'proposal.edit-missing'],
  [
    'a find with other line ends',
    { edits: [edit('a.ts', 'two\nthree', '')] },
    'proposal.edit-missing',
  ],
  ['an edit of a link', { edits: [edit('link', 'a', '')] }, 'proposal.edit-missing'],
  ['a find that occurs twice', { edits: [edit('a.ts', 'two', '')] }, 'proposal.edit-ambiguous'],
  ['an empty find', { edits: [edit('a.ts', '', 'x')] }, 'proposal.edit-ambiguous'],
  [
    'edits that overlap',
    { edits: [edit('a.ts', 'one t', ''), edit('a.ts', ' two two', '')] },
    'proposal.edit-overlap',
  ],
  [
    'one edit given twice',
    { edits: [edit('a.ts', 'one', ''), edit('a.ts', 'one', '')] },
    'proposal.edit-overlap',
  ],
  [
    'an edit of a file that is written anew',
    { edits: [edit('a.ts', 'one', '')], create: [{ file: 'a.ts', text: '' }] },
    'proposal.edit-overlap',
  ],
  ['half a surrogate pair', { edits: [edit('a.ts', 'one', '\ud800')] }, 'proposal.encoding'],
])('case %s makes no candidate', (_, parts, code) => {
  expect(make(files, edits(parts))).toBe(code);
});

test('all edits apply to the base at once, byte for byte, with CRLF kept (C10)', () => {
  const tree = make(
    files,
    edits({ edits: [edit('a.ts', 'three', 'two'), edit('a.ts', 'one two', '1')] }),
  );
  expect(typeof tree === 'function' && tree('a.ts')).toEqual({
    kind: 'file',
    text: '1 two\r\ntwo\r\n',
  });
});

test('an edited program stays executable, a new file is not, an empty file is a file (C12)', () => {
  const tree = make(
    files,
    edits({
      edits: [edit('run', 'x', 'y')],
      create: [{ file: 'src/b.ts', text: '' }],
      delete: ['link'],
    }),
  );
  const read = typeof tree === 'function' ? tree : () => undefined;
  expect([read('run'), read('src/b.ts'), read('link')]).toEqual([
    { kind: 'exec', text: 'y\n' },
    { kind: 'file', text: '' },
    undefined,
  ]);
});

test('more changed bytes than the contract takes make no candidate, and the biggest paths are named (C13)', () => {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const contract = contractFor(base, { limits: { candidate_bytes: 10 } });
  const made = makeCandidate(
    { contract, base },
    edits({ create: [{ file: 'lock.json', text: 'x'.repeat(11) }] }),
    ledger,
  );
  expect(made).toEqual({
    ok: false,
    code: 'proposal.too-large',
    detail: '11 bytes changed, at most 10 fit; the biggest: lock.json (11)',
  });
});

const body = (region: string, text: string): Proposal => ({
  kind: 'body',
  value: { bodies: [{ region, text }] },
});

test('a body replaces its region and nothing else, and gets a final line end', () => {
  const tree = make(lruBase, body('r1', '    return 7;'), lruContract);
  expect(typeof tree === 'function' && tree('src/lru.ts')?.text).toBe(
    String(lruBase['src/lru.ts']).replace('    return 0;\n', '    return 7;\n'),
  );
});

test('a region that the contract does not know makes no candidate', () => {
  expect(make(lruBase, body('r2', 'x\n'), lruContract)).toBe('proposal.unknown-region');
});

test('an edit is exactly a cut and a paste, whatever the bytes around it', () => {
  const plain = fc
    .string({ unit: 'binary', maxLength: 20 })
    .filter((text) => !text.includes('@') && !/\p{Cs}/u.test(text));
  fc.assert(
    fc.property(plain, plain, plain, (before, after, replace) => {
      const tree = make({ a: `${before}@@${after}` }, edits({ edits: [edit('a', '@@', replace)] }));
      expect(typeof tree === 'function' && tree('a')?.text).toBe(before + replace + after);
    }),
    { numRuns: 80 },
  );
});
