import { expect, test } from 'vitest';
import { textLinks } from '../../../stages/miners/links.ts';

const kinds = (text: string, repo: string | null = null) =>
  textLinks(text, repo).map(({ to, kind }) => `${to} ${kind}`);

test('six lines of one pull request: two close, none of the others does', () => {
  const body = [
    'Fixes #12, fixes #34',
    '> closes #99',
    '`fixes #77`',
    'This does NOT fix #55',
    '#263',
  ].join('\r\n');
  expect(kinds(body)).toEqual(['12 closing-text', '34 closing-text', '55 mention', '263 mention']);
});

test.each([
  ['Closes: #1', ['1 closing-text']],
  ['resolved GH-2', ['2 closing-text']],
  ['fixes #3 and #4', ['3 closing-text', '4 mention']],
  ["It doesn't fix #5 yet. Fixes #6.", ['5 mention', '6 closing-text']],
  ['Partially fixes #7', ['7 mention']],
  ['<!-- Fixes #8 -->', []],
  ['```\nfixes #9\n```\n', []],
  ['```\nfixes #10', []],
  ['~~~ts\nfixes #11\n```\n~~~\nfixes #12', ['12 closing-text']],
  ['prefixes #13', ['13 mention']],
  ['fixes other/repo#14', []],
  ['see a/b#15 and page.html#16', []],
  ['Follow-up to #17', ['17 follow-up']],
  ['a regression from #18, broken by #19', ['18 regression', '19 regression']],
  ['after #20', ['20 follow-up']],
  ['mentions #21, later fixes #21', ['21 closing-text']],
  ['fixes #0', []],
])('%j', (text, links) => {
  expect(kinds(text)).toEqual(links);
});

test('an address closes only where it names this very repository', () => {
  const text =
    'Fixes https://host.example/ada/limiter/issues/7, fixes https://host.example/bob/other/issues/8';
  expect(kinds(text, 'ada/limiter')).toEqual(['7 closing-text']);
  expect(kinds(text)).toEqual([]);
});

test('a quote stands verbatim in the text', () => {
  const text = 'This does\nnot Fix #5, but closes #6; it follows up on #7';
  for (const { quote } of textLinks(text, null)) expect(text).toContain(quote);
});
