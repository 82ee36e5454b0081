import { expect, test } from 'vitest';
import { cooked, endOfQuote, unescaped } from '../../../stages/contract/lexer.ts';

test.each([
  ['plain', 'plain'],
  [String.raw`\x66\163`, 'fs'],
  [String.raw`\u{66}\u0073`, 'fs'],
  [String.raw`\U00000066s`, 'fs'],
  [String.raw`\u{110000}x`, 'x'],
  [String.raw`\U00110000x`, 'x'],
  [String.raw`\u{10ffff}`, '\u{10ffff}'],
  [String.raw`\n\t\r\b\f\v\a`, '\n\t\r\b\f\v\x07'],
  [String.raw`\f\s`, '\fs'],
  [String.raw`\q\\\"`, 'q\\"'],
  ['f\\\ns', 'fs'],
  ['f\\\r\ns', 'fs'],
  ['f\\\u2028s', 'fs'],
  ['f\\', 'f\\'],
  [String.raw`\0`, '\0'],
  [String.raw`\1234`, 'S4'],
  [String.raw`\x6`, 'x6'],
  [String.raw`\u006`, 'u006'],
  [String.raw`\u006F\X41`, 'oX41'],
])('a string that is written %j holds %j', (written, held) => {
  expect(cooked(written)).toBe(held);
});

test.each([
  [String.raw`\u0061bc`, 'abc'],
  [String.raw`\u{61}bc`, 'abc'],
  [String.raw`\x61bc`, 'abc'],
  [String.raw`\u{110000}`, String.raw`\u{110000}`],
  [String.raw`\u{10FFFF}`, '\u{10ffff}'],
  [String.raw`\n`, String.raw`\n`],
])('a name that is written %j is %j', (written, name) => {
  expect(unescaped(written)).toBe(name);
});

test('a quote ends at its own sign, at the end of a line where it may not go on, and at the end of the text', () => {
  expect(endOfQuote('"ab" c', 1, '"', false)).toBe(4);
  expect(endOfQuote('"a\\" b" c', 1, '"', false)).toBe(7);
  expect(endOfQuote('"a\nb"', 1, '"', false)).toBe(2);
  expect(endOfQuote('"a\nb"', 1, '"', true)).toBe(5);
  expect(endOfQuote('"""a"b"""', 3, '"""', true)).toBe(9);
  expect(endOfQuote('"ab', 1, '"', false)).toBe(3);
  expect(endOfQuote('"ab\\', 1, '"', false)).toBe(4);
});
