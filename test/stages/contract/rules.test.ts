import { expect, test } from 'vitest';
import type { Lexed } from '../../../stages/contract/lexer.ts';
import { type Pack, packOf } from '../../../stages/contract/packs/pack.ts';
import { hitsOf, merged } from '../../../stages/contract/rules.ts';

const pack = packOf('javascript');

/** Tokens of a text that has a blank between any two. */
function lexed(text: string, comments: readonly string[] = []): Lexed {
  const tokens = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({
    text: word,
    at: index,
  }));
  return { tokens, comments: comments.map((one, at) => ({ text: one, at })), spans: [] };
}

const hits = (given: Pack, text: string, names: readonly string[] = []) =>
  hitsOf(given, lexed(text), new Set(names)).map(({ rule, hits: found }) => [
    rule,
    ...found.map(({ at, last, words }) => `${at}-${last} ${words.join(' ')}`),
  ]);

test.each<[string, string, string[]]>([
  ['a', 'a b a', ['0-0 a', '4-4 a']],
  ['a b', 'a b a', ['0-2 a b']],
  ['a b', 'a', []],
  ['a|c b|d', 'a d c b a c', ['0-2 a d', '4-6 c b']],
  ['a * c', 'a b c a c', ['0-4 a b c']],
  ['* b', 'a b', ['0-2 a b']],
  ['* b', 'b', []],
  ['!x|y a', 'x a y a z a', ['10-10 a']],
  ['!x a', 'a', ['0-0 a']],
  ['! a', '! a', ['0-2 ! a']],
  ['f ~group b', 'f ( x ( y ) ) b', ['0-14 f ( x']],
  ['f ~group b', 'f ( x b', []],
  ['f ~group b', 'f x b', []],
  ['~group a', '( x ) a ( a', ['0-6 ( x']],
  ['b ~group', 'b ( )', ['0-4 b (']],
  ['~name =', 'p = q =', ['0-2 p =']],
  ['set ~name', 'set q set p', ['6-10 set p']],
])('the rule %j meets %j at %j', (rule, text, found) => {
  expect(hits(pack([rule]), text, ['p'])).toEqual([[rule, ...found]]);
});

test('hits of several words of one place stand in the order of the text', () => {
  expect(hits(pack(['b|a']), 'a b a b')).toEqual([['b|a', '0-0 a', '2-2 b', '4-4 a', '6-6 b']]);
});

test('a literal row stands for itself', () => {
  const literal: Pack = {
    language: 'javascript',
    tokens: [],
    comments: [],
    literal: [['*', 'a|b'], []],
  };
  expect(hits(literal, '* a|b x a')).toEqual([['* a|b', '0-2 * a|b'], ['']]);
});

test('patterns of comments read comments, those of strings read strings, and neither the code', () => {
  const both = pack([], [/no/u], [/yes/u]);
  const found = hitsOf(both, lexed('no yes "yes" "no"', ['no', 'yes']), new Set());
  expect(found.map(({ rule, hits: all }) => [rule, all])).toEqual([
    ['no', [{ at: 0, last: 0, words: ['no'] }]],
    ['yes', [{ at: 7, last: 7, words: ['"yes"'] }]],
  ]);
  expect(hitsOf(pack([], [/no/u]), lexed('"no"'), new Set())).toEqual([{ rule: 'no', hits: [] }]);
});

const hit = (at: number, last = at, words = ['a']) => ({ at, last, words });

test('what two readings see at one place is one hit, in the order of the text', () => {
  const one = [
    { rule: 'a', hits: [hit(4), hit(0)] },
    { rule: 'b', hits: [] },
  ];
  const two = [
    { rule: 'a', hits: [hit(2), hit(4), hit(4, 5)] },
    { rule: 'b', hits: [hit(1)] },
  ];
  expect(merged([one, two])).toEqual([
    { rule: 'a', hits: [hit(0), hit(2), hit(4), hit(4, 5)] },
    { rule: 'b', hits: [hit(1)] },
  ]);
  expect(merged([one])).toEqual(one);
  expect(merged([])).toEqual([]);
  expect(merged([one, []])[1]).toEqual({ rule: 'b', hits: [] });
});

test('one reading may meet a rule twice at one place, and both count', () => {
  const twice = [{ rule: 'a', hits: [hit(1), hit(1)] }];
  expect(merged([twice, twice])[0]?.hits).toHaveLength(2);
  expect(merged([[{ rule: 'a', hits: [] }], twice])[0]?.hits).toHaveLength(1);
});
