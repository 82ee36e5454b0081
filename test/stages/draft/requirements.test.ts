import { expect, test } from 'vitest';
import type { Seed } from '../../../schemas/seed.ts';
import { requirementsOf } from '../../../stages/draft/requirements.ts';

const silent = { pins: { names: [], literals: [] }, internal: [], broughtBy: () => 0 };

const seedSaying = (...sentences: string[]): Seed => ({
  id: 's1',
  source: 'little',
  title: 'Little',
  statements: sentences.map((text) => ({
    kind: 'changelog',
    text,
    quote: text,
    doc: 'commit:c',
    start: 0,
    end: text.length,
    authorAssociation: 'NONE',
  })),
  threads: [],
  change: { base: 'b', head: 'h', position: 1, source: [], tests: [], other: [], symbols: [] },
  links: [],
  facts: {
    languages: [],
    licence: null,
    createdAt: '2026-01-01T00:00:00Z',
    mergedAt: '2026-01-01T00:00:00Z',
    bot: false,
    addedLines: 1,
    removedLines: 0,
    leaks: [],
  },
  rejections: [],
});

test.each([
  ['Handle input without protocol (resolves #52)', 'Handle input without protocol'],
  ['Redesign completion. :issue:`1484`, :pr:`1622`', 'Redesign completion.'],
  ['`get` is deprecated. {issue}`3481` {pr}`3695`', '`get` is deprecated.'],
  ['Keep what stands in (brackets)', 'Keep what stands in (brackets)'],
  ['As said in #12 it must stay', 'As said in #12 it must stay'],
])('a clause drops references at its end and keeps its quote: %s', (said, text) => {
  const [requirement] = requirementsOf([seedSaying(said)], silent);
  expect(requirement?.title).toBe(text);
  expect(requirement?.clauses).toMatchObject([{ text, quotes: [{ quote: said }] }]);
});

test('sentences that differ by a reference alone are one clause', () => {
  const [requirement] = requirementsOf(
    [seedSaying('The bucket must refill (#12)', 'The bucket must refill')],
    silent,
  );
  expect(requirement?.clauses.map(({ text }) => text)).toEqual(['The bucket must refill']);
});
