import { expect, test } from 'vitest';
import { lexJavascript } from '../../../stages/contract/lex-javascript.ts';

/** Whether the first slash of `/hidden/g` is read as the start of a pattern. */
const isPattern = (text: string) =>
  !lexJavascript(text).tokens.some(({ text: word }) => word === 'hidden');

test.each([
  '/hidden/g',
  'x = /hidden/g',
  'x == /hidden/g',
  'f(/hidden/g)',
  'f(a, /hidden/g)',
  '[/hidden/g]',
  '[a, /hidden/g]',
  'x ? /hidden/g : 1',
  'x && /hidden/g',
  'x + /hidden/g',
  'x - /hidden/g',
  '!/hidden/g',
  'a + +/hidden/g',
  '!!/hidden/g',
  '; /hidden/g',
  '{ /hidden/g }',
  ...'return typeof case in delete void throw new instanceof else do yield'
    .split(' ')
    .map((word) => `${word} /hidden/g`),
  'if (x) /hidden/g',
  'while (x) /hidden/g',
  'with (x) /hidden/g',
  'for (;;) /hidden/g',
  'for await (const a of b) /hidden/g',
  'for (const a of /hidden/g) b',
  'if (f(x)) /hidden/g',
  'if (x) { } /hidden/g',
  'else { } /hidden/g',
  'function f() { } /hidden/g',
  'async function f() { } /hidden/g',
  'function* f() { } /hidden/g',
  'export default function () { } /hidden/g',
  'class A { static { } } /hidden/g',
  'do { } /hidden/g',
  'try { } /hidden/g',
  'finally { } /hidden/g',
  '() => { } /hidden/g',
  '{ { } /hidden/g }',
  'x = { a() { } } ; /hidden/g',
  ';{ }\n/hidden/g',
])('in %j the slash begins a pattern', (text) => {
  expect(isPattern(text)).toBe(true);
});

test.each([
  'x /hidden/g',
  '1 /hidden/g',
  '"a" /hidden/g',
  '#x /hidden/g',
  'é /hidden/g',
  '$ /hidden/g',
  'x.return /hidden/g',
  'x?.typeof /hidden/g',
  'x[0] /hidden/g',
  'f(x) /hidden/g',
  '(x) /hidden/g',
  'x.if(y) /hidden/g',
  'x.while(y) /hidden/g',
  'x.for(y) /hidden/g',
  'x++ /hidden/g',
  'x-- /hidden/g',
  'x! /hidden/g',
  'x!! /hidden/g',
  'f(x)! /hidden/g',
  'x[0]++ /hidden/g',
  'of /hidden/g',
  'x.of /hidden/g',
  'for (x.of /hidden/g;;) y',
  'x = { } /hidden/g',
  'x = { a: 1 } /hidden/g',
  'f({ }) /hidden/g',
  'f({ } /hidden/g)',
  'return { } /hidden/g',
  'x = function () { } /hidden/g',
  'x = function f() { } /hidden/g',
  'x = async function () { } /hidden/g',
  'x = function* () { } /hidden/g',
  'x = function* f() { } /hidden/g',
  'x = { a: { } } /hidden/g',
  'x = { f() { } } /hidden/g',
  'x = { a: function () { return 1 } /hidden/g }',
])('in %j the slash divides', (text) => {
  expect(isPattern(text)).toBe(false);
});

test('a slash of a tag opens no pattern, and the code after it is read', () => {
  for (const text of ['x = <b></hidden>', 'x = <b c={1}/>; hidden', 'x = <b/>; hidden'])
    expect(isPattern(text)).toBe(false);
});

test('a sign glued to a value is after it, one apart from it is before what follows', () => {
  expect(isPattern('x ! /hidden/g')).toBe(true);
  expect(isPattern('return ++/hidden/g')).toBe(true);
  expect(isPattern('x + /hidden/g')).toBe(true);
  expect(isPattern('x + + /hidden/g')).toBe(true);
});
