import { expect, test } from 'vitest';
import { authoritySha } from '../../../stages/contract/conforms.ts';
import { draftContract } from '../../../stages/contract/draft-contract.ts';
import { manifestRoot, parseManifest } from '../../../stages/contract/manifest.ts';
import { keepFiles } from '../../support/contract-case.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

const files = {
  'src/bucket.ts': '1;\n',
  'src/clock.ts': '2;\n',
  'src/bucket.test.ts': '3;\n',
  'src/deep/far.ts': '4;\n',
  'solo/one.ts': '5;\n',
  'package.json': '{}\n',
  'README.md': '# x\n',
  'src/page.snap': 'x\n',
};

function draft(goldPaths: string[], regions: { file: string; start: string; end: string }[] = []) {
  const ledger = memoryLedger();
  const entries = parseManifest(ledger.get(keepFiles(ledger, files)));
  const globs = { testGlobs: ['**/*.test.ts'], sourceGlobs: ['**/*.ts'] };
  return draftContract({
    id: 'case',
    base: manifestRoot(entries),
    entries,
    goldPaths,
    regions,
    ...globs,
  });
}
const names = (drafted: ReturnType<typeof draft>) =>
  drafted.contract.editable.map(({ file }) => file);

test('the authority is every source file of the folders that gold touches, and no test', () => {
  const drafted = draft(['src/bucket.ts', 'src/bucket.test.ts']);
  expect(names(drafted)).toEqual(['src/bucket.ts', 'src/clock.ts']);
  expect(drafted.contract.create.map(({ glob }) => glob)).toEqual(['src/*.ts']);
  expect(drafted.contract.forbidden.packs).toEqual(['ts/skip', 'ts/exit', 'ts/reflect', 'ts/env']);
  expect(drafted.warnings).toEqual([]);
});

test('where a folder holds gold alone, the authority widens to all sources', () => {
  expect(names(draft(['solo/one.ts']))).toEqual([
    'solo/one.ts',
    'src/bucket.ts',
    'src/clock.ts',
    'src/deep/far.ts',
  ]);
});

test('prose that gold touches may be edited too', () => {
  const drafted = draft(['README.md', 'src/bucket.ts']);
  expect(names(drafted)).toEqual(['README.md', 'src/bucket.ts', 'src/clock.ts']);
});

test('a protected path of gold gets no authority and is named', () => {
  const drafted = draft(['package.json', 'src/bucket.ts']);
  expect(names(drafted)).not.toContain('package.json');
  expect(drafted.warnings).toEqual([
    'contract.protected-path: gold changes "package.json", which no contract may give away',
  ]);
});

test('with regions only their bodies may change', () => {
  const { contract } = draft(
    ['src/bucket.ts'],
    [{ file: 'src/bucket.ts', start: '// A', end: '// B' }],
  );
  expect(contract).toMatchObject({
    interface: 'body',
    create: [],
    editable: [{ id: 'r1', file: 'src/bucket.ts', region: { start: '// A', end: '// B' } }],
  });
});

test('the authority has a name that changes with anything in it', () => {
  const { contract } = draft(['src/bucket.ts']);
  expect(authoritySha(contract)).toMatch(/^[0-9a-f]{64}$/);
  expect(authoritySha({ ...contract, delete: ['src/clock.ts'] })).not.toBe(authoritySha(contract));
});
