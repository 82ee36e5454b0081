import { describe, expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { applyMutation, chooseMutations, mutationsOf } from '../../../stages/weave/mutants.ts';
import { coreOperators as operators } from '../../../stages/weave/operators/core.ts';

const parse = await openParse();
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const every = () => true;

/** Every mutation of a text: the operator and what becomes of the text. */
function mutate(language: string, text: string, isOwn: (line: number) => boolean = every) {
  const bytes = encode(text);
  const root = parse(language, bytes);
  if (root === null) throw new Error(`no grammar for ${language}`);
  return mutationsOf(root, bytes, { language, isOwn, operators }).map((mutation) => ({
    ...mutation,
    result: decode(applyMutation(bytes, mutation)),
  }));
}

describe('each operator changes one thing', () => {
  test.each([
    ['typescript', 'negate-condition', 'if (a) b();\n', 'if (!((a))) b();\n'],
    ['typescript', 'drop-statement', 'f(1);\n', '{}\n'],
    ['typescript', 'shift-bound', 'const x = a < b;\n', 'const x = a <= b;\n'],
    ['typescript', 'shift-bound', 'const x = a && b;\n', 'const x = a || b;\n'],
    ['typescript', 'shift-bound', 'const x = a === b;\n', 'const x = a !== b;\n'],
    ['typescript', 'off-by-one', 'const x = 41;\n', 'const x = 42;\n'],
    ['typescript', 'flip-boolean', 'const x = true;\n', 'const x = false;\n'],
    ['javascript', 'drop-statement', 'throw e;\n', '{}\n'],
    ['python', 'negate-condition', 'if a:\n    b()\n', 'if not (a):\n    b()\n'],
    ['python', 'drop-statement', 'x = 1\n', 'pass\n'],
    ['python', 'shift-bound', 'y = a >= b\n', 'y = a > b\n'],
    ['python', 'shift-bound', 'y = a and b\n', 'y = a or b\n'],
    ['python', 'flip-boolean', 'y = True\n', 'y = False\n'],
  ])('%s, %s: %j', (language, operator, before, after) => {
    const results = mutate(language, before).filter((found) => found.operator === operator);
    expect(results.map(({ result }) => result)).toContain(after);
  });

  test('what would change nothing is left out', () => {
    expect(mutate('python', '"""Words."""\nname\n')).toEqual([]);
    expect(mutate('typescript', 'const x = "1 < 2";\n')).toEqual([]);
  });

  test('bytes before a character of several bytes stay where they are', () => {
    expect(mutate('typescript', 'const ü = "ä"; const x = 1;\n')[0]?.result).toBe(
      'const ü = "ä"; const x = 2;\n',
    );
  });
});

describe('only lines of one’s own are touched', () => {
  const text = 'if (a) {\n  f();\n  g();\n}\nh();\n';

  test('a mutation begins on an own line', () => {
    expect(
      new Set(mutate('typescript', text, (line) => line === 3).map(({ line }) => line)),
    ).toEqual(new Set([3]));
  });

  test('a statement that holds a line of somebody else is not dropped with it', () => {
    const operators = mutate('typescript', text, (line) => line !== 3).map(({ operator, line }) => [
      operator,
      line,
    ]);
    expect(operators).toEqual([
      ['negate-condition', 1],
      ['drop-statement', 2],
      ['drop-statement', 5],
    ]);
    expect(mutate('typescript', text)[0]).toMatchObject({ operator: 'drop-statement', line: 1 });
  });
});

describe('a choice of mutations', () => {
  const made = ['a', 'a', 'a', 'b', 'c'].map((operator, at) => ({ operator, at }));
  const same = <T>(items: readonly T[]) => items;

  test('gives every operator its turn', () => {
    expect(chooseMutations(made, 4, same).map(({ at }) => at)).toEqual([0, 3, 4, 1]);
  });

  test('takes all when there are fewer than asked, and none for a cap of zero', () => {
    expect(chooseMutations(made, 9, same)).toHaveLength(5);
    expect(chooseMutations(made, 0, same)).toEqual([]);
  });
});
