import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Tree } from 'web-tree-sitter';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import type { Parse, SyntaxNode } from '../../../schemas/syntax.ts';

let parse: Parse;
beforeAll(async () => {
  parse = await openParse();
});

const bytesOf = (text: string) => new TextEncoder().encode(text);
const all = (node: SyntaxNode): readonly SyntaxNode[] => [node, ...node.children.flatMap(all)];

describe('every grammar', () => {
  test.each([
    ['typescript', 'const a: number = 1;\n', 'lexical_declaration'],
    ['tsx', 'const a = <b>c</b>;\n', 'jsx_element'],
    ['javascript', 'function f() {}\n', 'function_declaration'],
    ['python', 'def f():\n    pass\n', 'function_definition'],
  ])('%s', (language, text, type) => {
    const root = parse(language, bytesOf(text));
    expect(root === null ? [] : all(root).map((node) => node.type)).toContain(type);
  });

  test('of another language is absent', () => {
    expect(parse('cobol', bytesOf('x'))).toBeNull();
  });
});

describe('offsets are bytes', () => {
  test.each([
    ['text beyond ASCII', Buffer.from('// é😀漢\nfunction name() {}\n')],
    ['a byte order mark', Buffer.from('\ufefffunction name() {}\n')],
    ['bytes that are no UTF-8', Buffer.from('// \xe9\xff\nfunction name() {}\n', 'latin1')],
    ['CRLF', Buffer.from('// x\r\nfunction name() {}\r\n')],
  ])('also behind %s', (_, bytes) => {
    const root = parse('javascript', bytes);
    const name = root === null ? undefined : all(root).find(({ field }) => field === 'name');
    expect(bytes.subarray(name?.start, name?.end).toString('latin1')).toBe('name');
  });
});

test('a node spans its children, in order, and lines count from 1', () => {
  const root = parse('python', bytesOf('class A:\n    def f(self):\n        return 1\n'));
  const nodes = root === null ? [] : all(root);
  for (const { start, end, children } of nodes) {
    let at = start;
    for (const child of children) {
      expect(child.start).toBeGreaterThanOrEqual(at);
      at = child.end;
    }
    expect(end).toBeGreaterThanOrEqual(at);
  }
  expect(nodes.find(({ type }) => type === 'function_definition')).toMatchObject({
    startLine: 2,
    endLine: 3,
  });
});

test('a broken text gives a tree with ERROR nodes, however deep', () => {
  const root = parse('javascript', bytesOf('('.repeat(20_000)));
  expect(root?.end).toBe(20_000);
  expect(parse('python', bytesOf('def (:\n'))?.children.length).toBeGreaterThan(0);
});

test('every tree is freed in WebAssembly, where no collector sees it', () => {
  const freed = vi.spyOn(Tree.prototype, 'delete');
  for (let turn = 0; turn < 5; turn++) parse('typescript', bytesOf('const a = 1;\n'));
  expect(freed).toHaveBeenCalledTimes(5);
});
