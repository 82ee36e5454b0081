import { expect, test } from 'vitest';
import { asciiJson, base64Lines, fromBase64 } from '../../../stages/exporters/text.ts';

test('JSON is ASCII, and reads back as it was', () => {
  const value = { text: 'é \u0085 \u2028 \u2029 😀 \\ud83d', list: [null, 0] };
  const json = asciiJson(value);
  expect(json).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(json)).toEqual(value);
});

test('half a surrogate pair is refused', () => {
  expect(() => asciiJson({ text: '\ud83d' })).toThrow('half a surrogate pair');
});

test.each([0, 1, 2, 3, 56, 57, 58, 200])('%d bytes travel through base64 unharmed', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 89) % 256);
  const text = base64Lines(bytes);
  expect(text.replaceAll('\n', '')).toBe(Buffer.from(bytes).toString('base64'));
  expect(text.split('\n').every((line) => line.length <= 76)).toBe(true);
  expect(fromBase64(text)).toEqual(bytes);
});

test('a text that is no base64 is refused', () => {
  expect(() => fromBase64('a*b')).toThrow('base64 unreadable');
});
