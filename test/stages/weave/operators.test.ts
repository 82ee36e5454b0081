import { expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { applyMutation, mutationsOf } from '../../../stages/weave/mutants.ts';
import { operators } from '../../../stages/weave/operators/registry.ts';

const parse = await openParse();

/** Every mutation that all operators together make of a text: the operator and what becomes of the text. */
function mutate(language: string, text: string) {
  const bytes = new TextEncoder().encode(text);
  const root = parse(language, bytes);
  if (root === null) throw new Error(`no grammar for ${language}`);
  const where = { language, isOwn: () => true, operators };
  return mutationsOf(root, bytes, where).map((mutation) => ({
    ...mutation,
    result: new TextDecoder().decode(applyMutation(bytes, mutation)),
  }));
}

test.each([
  ['typescript', 'off-by-one-down', 'const x = 41;\n', 'const x = 40;\n'],
  ['typescript', 'other-string', "const x = 'a';\n", "const x = '';\n"],
  ['typescript', 'other-string', 'const x = "";\n', 'const x = "mutant";\n'],
  ['typescript', 'empty-collection', 'const x = [1];\n', 'const x = [];\n'],
  ['typescript', 'empty-collection', 'f({ a: b });\n', 'f(({}));\n'],
  [
    'typescript',
    'return-nothing',
    'g = () => { return 1; }\n',
    'g = () => { return undefined; }\n',
  ],
  ['typescript', 'swap-operator', 'const x = a % b;\n', 'const x = a / b;\n'],
  ['typescript', 'swap-operator', 'x += 1;\n', 'x -= 1;\n'],
  ['typescript', 'swap-operator', 'const x = a ?? b;\n', 'const x = a && b;\n'],
  ['typescript', 'drop-negation', 'const x = !a;\n', 'const x = (a);\n'],
  ['typescript', 'swap-arguments', 'f(a, b, c);\n', 'f(b, a, c);\n'],
  ['typescript', 'drop-else', 'if (a) b(); else c();\n', 'if (a) b(); \n'],
  ['typescript', 'last-branch', 'const x = a ? b : c;\n', 'const x = (c);\n'],
  ['typescript', 'swap-method', 'Math.min(1);\n', 'Math.max(1);\n'],
  ['javascript', 'swap-method', 'a.startsWith(b);\n', 'a.endsWith(b);\n'],
  ['python', 'off-by-one-down', 'x = 2\n', 'x = 1\n'],
  ['python', 'other-string', 'x = "a"\n', 'x = ""\n'],
  ['python', 'empty-collection', 'x = {1: 2}\n', 'x = {}\n'],
  ['python', 'return-nothing', 'def f():\n    return 1\n', 'def f():\n    return None\n'],
  ['python', 'swap-operator', 'y = a // b\n', 'y = a / b\n'],
  ['python', 'swap-operator', 'y = a not in b\n', 'y = a in b\n'],
  ['python', 'swap-operator', 'y = a is b\n', 'y = a is not b\n'],
  ['python', 'swap-operator', 'y += 1\n', 'y -= 1\n'],
  ['python', 'drop-negation', 'y = not a\n', 'y = (a)\n'],
  ['python', 'swap-arguments', 'f(a, b)\n', 'f(b, a)\n'],
  ['python', 'drop-else', 'if a:\n    b()\nelse:\n    c()\nd()\n', 'if a:\n    b()\n\nd()\n'],
  ['python', 'last-branch', 'y = b if a else c\n', 'y = (c)\n'],
  ['python', 'swap-method', 'y = any(a)\n', 'y = all(a)\n'],
  ['python', 'swap-method', 'y = a.lower()\n', 'y = a.upper()\n'],
])('%s, %s: %j becomes %j', (language, operator, before, after) => {
  const results = mutate(language, before).filter((found) => found.operator === operator);
  expect(results.map(({ result }) => result)).toContain(after);
});

test.each([
  ['typescript', "import { a } from 'b';\nexport * from 'c';\n"],
  ['typescript', 'const x = f(a, a) || g(...a, b);\n'],
  ['typescript', "type Side = 'left' | 'right';\n"],
  ['javascript', "const x = { 'a': b };\n"],
  ['javascript', 'const x = a in b;\nfind(a);\n'],
  ['python', '"""Words."""\nimport a\nfrom b import c\n'],
  ['python', 'y = f(a, key=b)\n'],
])('%s has nothing to swap or to empty in %j', (language, text) => {
  const shared = ['drop-statement', 'empty-collection', 'shift-bound'];
  const added = mutate(language, text).filter(({ operator }) => !shared.includes(operator));
  expect(added).toEqual([]);
});

test('every mutant of a text is another text', () => {
  const text = "function f(a, b) {\n  if (!a || b > 1) return g(b, 'x', [1]);\n  return {};\n}\n";
  const made = mutate('typescript', text);
  expect(made.length).toBeGreaterThan(8);
  expect(made.filter(({ result }) => result === text)).toEqual([]);
});

test('a name stands once in the registry', () => {
  expect(new Set(operators.map(({ name }) => name)).size).toBe(operators.length);
});
