import { describe, expect, test } from 'vitest';
import { drafterView, viewLimits } from '../../../stages/draft/drafter-view.ts';
import { importCommit } from '../../../stages/trees/import-commit.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { type CommitFiles, memoryRepo } from '../../support/memory-repo.ts';
import { spec } from '../../support/woven.ts';

/** What a drafter sees of a base with these files, whose seeds touched src/b.ts and its test. */
async function viewed(more: CommitFiles, words = 'hello') {
  const ledger = memoryLedger();
  const touched = { 'src/b.ts': '1\n', 'test/b.test.ts': '1\n' };
  const head = { 'src/b.ts': '2\n', 'test/b.test.ts': '2\n', ...more };
  const { repo, seed, hashOf } = memoryRepo([touched, head]);
  const tree = await importCommit(repo, hashOf(1), ledger);
  const [found] = [seed(1)];
  const seeds = [
    { ...found, change: { ...found.change, source: found.change.source.slice(0, 1) } },
  ];
  const docs = [{ doc: 'thread:1', sha256: ledger.put(new TextEncoder().encode(words)) }];
  return drafterView({ seeds, edges: [], docs, spec, tree, ids: [] }, ledger);
}

const labels = (files: readonly { readonly label: string }[]) => files.map(({ label }) => label);

describe('a drafter sees', () => {
  test('what the seeds touched first, source before tests, then neighbours, then the rest', async () => {
    const { files } = await viewed({ 'src/a.ts': 'a\n', 'lib/z.txt': 'z\n' });
    expect(labels(files)).toEqual(['src/b.ts', 'test/b.test.ts', 'src/a.ts', 'lib/z.txt']);
  });

  test('only names of lock files, of binary files and of what is too large', async () => {
    const { files, listing } = await viewed({
      'package-lock.json': '{}\n',
      'logo.bin': new Uint8Array([0, 1]),
      'src/huge.ts': 'x'.repeat(viewLimits.file + 1),
    });
    expect(labels(files)).toEqual(['src/b.ts', 'test/b.test.ts']);
    expect(listing.split('\n')).toEqual(['logo.bin', 'package-lock.json', 'src/huge.ts']);
  });

  test('no more bytes of files and documents than their bounds, however many there are', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`src/f${at}.ts`, 'x'.repeat(1024)]),
    );
    const { files, listing, docs } = await viewed(many, 'y'.repeat(viewLimits.doc * 2));
    const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
    expect(bytes).toBeLessThanOrEqual(viewLimits.files);
    expect(bytes).toBeGreaterThan(viewLimits.files - 2048);
    expect(docs.map(({ text }) => text.length)).toEqual([viewLimits.doc]);
    expect(listing.split('\n').length).toBeLessThanOrEqual(viewLimits.paths + 1);
  });

  test('that there are no tests, where there are none', async () => {
    expect((await viewed({})).conventions).toContain('has no test of its own');
  });
});
