import { expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { lineDiff } from '../../../stages/weave/line-diff.ts';
import { symbolsTouched } from '../../../stages/weave/symbols.ts';

const parse = await openParse();
const touched = (language: string, text: string, lines: readonly number[]) =>
  symbolsTouched(parse, language, new TextEncoder().encode(text), lines);

const TYPESCRIPT = `import { x } from './x.ts';
export class Bucket {
  private level = 0;
  take(n: number) {
    const inner = () => n;
    return inner();
  }
}
export const refill = (n: number) => {
  return n;
};
export function drain() {
  function helper() {}
}
type Level = number;
x();
`;

const PYTHON = `import os
LIMIT = 3

@cache
def take(n):
    def inner():
        return n
    return inner

class Bucket:
    size = 1

    @property
    def level(self):
        return 1

if os.name:
    def win():
        pass
`;

test.each<[string, string, string, number[], readonly string[] | null]>([
  ['a method, also from an inner function', 'typescript', TYPESCRIPT, [5], ['Bucket.take']],
  ['a field', 'typescript', TYPESCRIPT, [3], ['Bucket.level']],
  ['the head of a class', 'typescript', TYPESCRIPT, [2], ['Bucket']],
  ['an arrow function', 'typescript', TYPESCRIPT, [10], ['refill']],
  ['a function and a type', 'typescript', TYPESCRIPT, [13, 15], ['Level', 'drain']],
  ['imports and loose statements', 'typescript', TYPESCRIPT, [1, 16], []],
  [
    'a prototype',
    'javascript',
    'Foo.prototype.bar = function () {\n};\nexports.baz = 1;\n',
    [1, 3],
    ['Foo.bar', 'baz'],
  ],
  ['a constant', 'python', PYTHON, [2], ['LIMIT']],
  ['a list of names that every addition touches', 'python', "__all__ = ['take']\n", [1], []],
  ['a decorator', 'python', PYTHON, [4], ['take']],
  ['an inner function', 'python', PYTHON, [7], ['take']],
  ['a decorated method', 'python', PYTHON, [13, 15], ['Bucket.level']],
  ['a class attribute', 'python', PYTHON, [11], ['Bucket.size']],
  ['a function behind a condition', 'python', PYTHON, [18], ['win']],
  ['a language without grammar', 'cobol', 'x', [1], null],
])('%s', (_, language, text, lines, names) => {
  expect(touched(language, text, lines)).toEqual(names);
});

test.each([
  ['a replaced line', 'a\nb\nc\n', 'a\nB\nc\n', [2], [2]],
  ['an inserted one', 'a\nc\n', 'a\nb\nc\n', [2], []],
  ['a removed one', 'a\nb\nc\n', 'a\nc\n', [], [2]],
  ['a new file', null, 'a\nb\n', [1, 2], []],
  ['a removed file', 'a\nb', null, [], [1, 2]],
  ['line ends', 'a\r\n', 'a\n', [1], [1]],
  ['nothing', 'a\n', 'a\n', [], []],
])('lines of %s', (_, before, after, added, removed) => {
  expect(lineDiff(before, after)).toEqual({ added, removed });
});

/** The names in which each line lies, all lines at once. */
const all = (language: string, text: string) =>
  touched(
    language,
    text,
    text.split('\n').map((_, at) => at + 1),
  );

test('methods of Go belong to the type they hang on, and grouped declarations have names of their own', () => {
  const text = `package bucket

import "time"

const (
	Small = 1
	Large = 2
)

type Bucket[T any] struct {
	level int
}

func New() *Bucket[int] {
	return nil
}

func (b *Bucket[T]) Take(n int) bool {
	return true
}
`;
  expect(all('go', text)).toEqual(['Bucket', 'Bucket.Take', 'Large', 'New', 'Small']);
  expect(touched('go', text, [3])).toEqual([]);
});

test('what stands in an impl of Rust belongs to its type, whichever trait it serves', () => {
  const text = `use std::fmt;

pub struct Bucket<T> {
    level: T,
}

impl<T> Bucket<T> {
    pub fn take(&self) {}
}

impl fmt::Display for Bucket<u8> {
    fn fmt(&self) {}
}

mod inner {
    pub fn help() {}
}

macro_rules! bucket {
    () => {};
}
`;
  expect(all('rust', text)).toEqual([
    'Bucket',
    'Bucket.fmt',
    'Bucket.take',
    'bucket',
    'inner',
    'inner.help',
  ]);
});

test('methods, constructors and inner classes of Java stand below their class', () => {
  const text = `package a;

import java.util.List;

class Bucket {
  private int level;
  Bucket() {}
  boolean take(int n) { return true; }
  static class Inner {
    void help() {}
  }
}

record Pair(int a) {
  int sum() { return a; }
}
`;
  expect(all('java', text)).toEqual([
    'Bucket',
    'Bucket.Bucket',
    'Bucket.Inner',
    'Bucket.Inner.help',
    'Bucket.take',
    'Pair',
    'Pair.sum',
  ]);
});
