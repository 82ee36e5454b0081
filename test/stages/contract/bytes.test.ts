import { expect, test } from 'vitest';
import {
  equalBytes,
  joinBytes,
  linesOf,
  matchesAt,
  offsetsOf,
} from '../../../stages/contract/bytes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('equal means every byte and no more', () => {
  expect(equalBytes(bytes('ab'), bytes('ab'))).toBe(true);
  expect(equalBytes(bytes('ab'), bytes('abc'))).toBe(false);
  expect(equalBytes(bytes('abc'), bytes('ab'))).toBe(false);
  expect(equalBytes(bytes(''), bytes(''))).toBe(true);
});

test('a text stands at an offset only where all of it fits', () => {
  expect(matchesAt(bytes('abc'), bytes('bc'), 1)).toBe(true);
  expect(matchesAt(bytes('abc'), bytes('bcd'), 1)).toBe(false);
  expect(matchesAt(bytes('abc'), bytes('a'), -1)).toBe(false);
  expect(matchesAt(bytes('abc'), bytes(''), -1)).toBe(false);
  expect(matchesAt(bytes('abc'), bytes(''), 4)).toBe(false);
  expect(matchesAt(bytes('abc'), bytes(''), 3)).toBe(true);
});

test('overlapping places are all found, at most as many as asked for', () => {
  expect(offsetsOf(bytes('aaaa'), bytes('aa'), 9)).toEqual([0, 1, 2]);
  expect(offsetsOf(bytes('aaaa'), bytes('aa'), 2)).toEqual([0, 1]);
  expect(offsetsOf(bytes('aaaa'), bytes('aa'), 0)).toEqual([]);
  expect(offsetsOf(bytes('aaaa'), bytes(''), 9)).toEqual([]);
  expect(offsetsOf(bytes('xay'), bytes('a'), 9)).toEqual([1]);
});

test('parts are joined in order', () => {
  expect(joinBytes([bytes('ab'), bytes(''), bytes('c')])).toEqual(bytes('abc'));
  expect(joinBytes([])).toEqual(bytes(''));
});

test('lines keep their ends and know where they start', () => {
  const lines = linesOf(bytes('a\n\nb')).map(({ start, line }) => [
    start,
    new TextDecoder().decode(line),
  ]);
  expect(lines).toEqual([
    [0, 'a\n'],
    [2, '\n'],
    [3, 'b'],
  ]);
});
