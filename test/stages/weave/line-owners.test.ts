import { expect, test } from 'vitest';
import { lineDiff } from '../../../stages/weave/line-diff.ts';
import { lineOwners, pairLines } from '../../../stages/weave/line-owners.ts';

test('each line belongs to the step that brought it and still has it', () => {
  expect(lineOwners(['a\nb', 'a\nx\nb', 'a\nx\nb\ny'])).toEqual([0, 1, 0, 2]);
});

test('a line that a later step rewrites is that step’s', () => {
  expect(lineOwners(['a\nb\nc', 'a\nB\nc', 'a\nBB\nc'])).toEqual([0, 2, 0]);
});

test('a file that comes late, and one that goes and comes back, belong to who brought them', () => {
  expect(lineOwners([null, 'a\nb'])).toEqual([1, 1]);
  expect(lineOwners(['a', null, 'a'])).toEqual([2]);
  expect(lineOwners(['a', null])).toEqual([]);
});

test('a moved line counts as brought', () => {
  expect(lineOwners(['a\nb\nc', 'b\nc\na'])).toEqual([0, 0, 1]);
});

test('lines in the middle are paired in order', () => {
  expect([...pairLines(['h', 'a', 'b', 't'], ['h', 'b', 'x', 't'])].toSorted()).toEqual([
    [0, 0],
    [1, 2],
    [3, 3],
  ]);
});

test('two large texts without common head or tail are told apart line by line in no time', () => {
  const many = (mark: string) => Array.from({ length: 3000 }, (_, at) => `${mark}${at}`);
  expect(pairLines(many('a'), many('b')).size).toBe(0);
});

test('a change is told in line numbers of each side', () => {
  expect(lineDiff('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual({ added: [2, 4], removed: [2] });
  expect(lineDiff(null, 'a\n')).toEqual({ added: [1], removed: [] });
  expect(lineDiff('a\r\n', 'a\n')).toEqual({ added: [1], removed: [1] });
  expect(lineDiff('a\n\n', 'a\n')).toEqual({ added: [], removed: [2] });
});
