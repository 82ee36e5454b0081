import { expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { applyMutation, mutationsOf } from '../../../stages/weave/mutants.ts';
import { grammarOf } from '../../../stages/weave/operators/grammar.ts';
import { operators } from '../../../stages/weave/operators/registry.ts';

const parse = await openParse();

const go = (line: string) => `package a\n\nfunc f() {\n\t${line}\n}\n`;
const rust = (line: string) => `fn f() {\n    ${line}\n}\n`;
const java = (line: string) => `class A {\n    void f() {\n        ${line}\n    }\n}\n`;

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
  ['go', 'drop-statement', go('x++'), go('{}')],
  ['go', 'drop-statement', go('x = f(y)'), go('{}')],
  ['go', 'negate-condition', go('if a { b() }'), go('if (!(a)) { b() }')],
  ['go', 'shift-bound', go('x := a < b'), go('x := a <= b')],
  ['go', 'off-by-one', go('x := 41'), go('x := 42')],
  ['go', 'flip-boolean', go('x := true'), go('x := false')],
  ['go', 'other-string', go('x := "a"'), go('x := ""')],
  ['go', 'swap-operator', go('x -= 1'), go('x += 1')],
  ['go', 'swap-arguments', go('f(a, b)'), go('f(b, a)')],
  ['go', 'swap-method', go('strings.HasPrefix(a, b)'), go('strings.HasSuffix(a, b)')],
  ['rust', 'drop-statement', rust('f(x);'), rust('{}')],
  ['rust', 'negate-condition', rust('if a { b(); }'), rust('if (!(a)) { b(); }')],
  ['rust', 'shift-bound', rust('let x = a && b;'), rust('let x = a || b;')],
  ['rust', 'off-by-one', rust('let x = 41;'), rust('let x = 42;')],
  ['rust', 'flip-boolean', rust('let x = true;'), rust('let x = false;')],
  ['rust', 'other-string', rust('f("a");'), rust('f("");')],
  ['rust', 'swap-operator', rust('x += 1;'), rust('x -= 1;')],
  ['rust', 'drop-else', rust('if a { b(); } else { c(); }'), rust('if a { b(); } ')],
  ['rust', 'drop-negation', rust('f(!a);'), rust('f((a));')],
  ['rust', 'swap-method', rust('a.starts_with(b);'), rust('a.ends_with(b);')],
  ['java', 'drop-statement', java('f(x);'), java('{}')],
  ['java', 'negate-condition', java('if (a) b();'), java('if (!((a))) b();')],
  ['java', 'shift-bound', java('x = a == b;'), java('x = a != b;')],
  ['java', 'off-by-one', java('int x = 41;'), java('int x = 42;')],
  ['java', 'flip-boolean', java('f(true);'), java('f(false);')],
  ['java', 'other-string', java('f("a");'), java('f("");')],
  ['java', 'swap-operator', java('x += 1;'), java('x -= 1;')],
  ['java', 'last-branch', java('x = a ? b : c;'), java('x = (c);')],
  ['java', 'swap-arguments', java('f(a, b);'), java('f(b, a);')],
  ['java', 'swap-method', java('a.startsWith(b);'), java('a.endsWith(b);')],
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
  ['go', 'package a\n\nimport "strings"\n'],
  ['go', go('return a')],
  ['rust', rust('if let Some(a) = b { }')],
  ['rust', '#[doc = "a"]\nfn f() {}\n'],
  ['java', '@Named("a")\nclass A {}\n'],
  ['java', java('return a;')],
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

test.each([
  ['src/a.ts', 'typescript'],
  ['src/a.py', 'python'],
  ['a.go', 'go'],
  ['src/lib.rs', 'rust'],
  ['src/main/java/A.java', 'java'],
  ['a.c', null],
])('lines of %s are read as %s', (path, language) => {
  expect(grammarOf(path)).toBe(language);
});

test('a name stands once in the registry', () => {
  expect(new Set(operators.map(({ name }) => name)).size).toBe(operators.length);
});
