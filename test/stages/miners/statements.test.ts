import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addedEntries, isChangelog } from '../../../stages/miners/changelog-lines.ts';
import { statementsIn } from '../../../stages/miners/statements.ts';

const docOf = (text: string, doc = 'thread:1') => ({ doc, text, authorAssociation: 'NONE' });
const said = (text: string, doc?: string) =>
  statementsIn(docOf(text, doc)).map(({ kind, text: words }) => `${kind}: ${words}`);

const ISSUE = `fix(limiter): idle time must fill the bucket (#12)

Thanks for the limiter! Currently an idle bucket stays empty. Instead of staying empty,
it should refill up to \`burst\`. That is all.

### Expected behaviour

Tokens come back at the given rate.

### Actual behaviour

It always returns 0 here.

- Node: 22.1
- [ ] I have read the contributing guide

### Proposal

- a negative burst throws a RangeError
* \`limiter.pause()\` stops it

> it must never be quoted

\`\`\`ts
limiter.take() // must not be read
\`\`\`

Use \`--burst=5\` or \`limiter.take(n: number): boolean\` for that.
`;

test('an issue gives its title, wishes, list and signatures, and nothing else', () => {
  expect(said(ISSUE)).toEqual([
    'title: idle time must fill the bucket',
    'sentence: Instead of staying empty, it should refill up to `burst`.',
    'sentence: Tokens come back at the given rate.',
    'list-item: a negative burst throws a RangeError',
    'list-item: `limiter.pause()` stops it',
    'sentence: Use `--burst=5` or `limiter.take(n: number): boolean` for that.',
  ]);
});

describe('a commit message', () => {
  test.each([
    [
      'a squash commit',
      'feat: refill idle buckets over time (#7)\n\n* fix lint\n* must not exceed burst\n\nCo-authored-by: Bob <b@x>',
      ['title: refill idle buckets over time', 'list-item: must not exceed burst'],
    ],
    [
      'a merge commit',
      'Merge pull request #3 from ada/pause\n\nPausing stops the clock',
      ['title: Pausing stops the clock'],
    ],
    ['a merge of branches', "Merge branch 'main' into topic", []],
    ['too little', 'wip\n', []],
    ['upkeep by its type', 'chore(deps): let eslint check everything twice', []],
    ['about the work', 'fix typo in readme file', []],
  ])('%s', (_, message, statements) => {
    expect(said(message, 'commit:abc')).toEqual(statements);
  });
});

test('signatures outside of sentences are kept by themselves', () => {
  expect(
    said('Nothing much here\n\nSee `limiter.take(n)` or `--burst`, not `x` nor `a + b`.'),
  ).toEqual(['title: Nothing much here', 'signature: limiter.take(n)', 'signature: --burst']);
});

test('every quote is the text between its offsets, whatever the text', () => {
  const piece = fc.constantFrom(
    'must ',
    'Fix ',
    '#1 ',
    '`a(b)`',
    '- ',
    '\n',
    '\r\n',
    '\n\n',
    '> ',
    '```',
    '. ',
    'ü😀 ',
    '### Expected\n',
    'word ',
    '**',
    '<!--',
    '-->',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom('thread:1', 'thread:1#2', 'commit:a'),
      (pieces, doc) => {
        const text = pieces.join('');
        let end = 0;
        for (const statement of statementsIn(docOf(text, doc))) {
          expect(text.slice(statement.start, statement.end)).toBe(statement.quote);
          expect(statement.quote.trim()).toBe(statement.quote);
          expect(statement.start).toBeGreaterThanOrEqual(end);
          end = statement.end;
        }
      },
    ),
  );
});

describe('changelogs', () => {
  const text =
    '# Changes\n\n## 2.0\n\n- old entry that was there\n- pause stops the clock,\n  as it must\n- cut in half here\n  by an old line\n';

  test('entries count where every line of them is new', () => {
    const spans = addedEntries(text, new Set([6, 7, 8]));
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      'pause stops the clock,\n  as it must',
    ]);
  });

  test.each([
    ['CHANGELOG.md', true],
    ['docs/CHANGES.rst', true],
    ['newsfragments/12.feature.rst', true],
    ['.changeset/brave-cats.md', true],
    ['src/changes.ts', false],
    ['README.md', false],
  ])('%s', (path, is) => {
    expect(isChangelog(path)).toBe(is);
  });
});
