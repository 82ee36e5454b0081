import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../stages/draft/language.ts';
import { couplingsOf, requirementsOf } from '../../../stages/draft/requirements.ts';
import { statementOf } from '../../../stages/draft/statement.ts';
import { isRunnable } from '../../../stages/draft/test-files.ts';
import { memoryRepo } from '../../support/memory-repo.ts';
import { specFor } from '../../support/test-run.ts';

const { seed } = memoryRepo([0, 1, 2].map((n) => ({ 'src/a.ts': `${n}` })));
const saying = (at: number, ...texts: readonly string[]) => {
  const found = seed(at);
  const [pattern] = found.statements;
  return {
    ...found,
    statements: texts.flatMap((text) => (pattern ? [{ ...pattern, text, quote: text }] : [])),
  };
};
const code = {
  pins: { names: ['peekLeft', 'pauseAll'], literals: ['none left'] },
  internal: ['spareTokens'],
  broughtBy: (token: string) => (token === 'pauseAll' ? 1 : 0),
};

describe('requirements from seeds', () => {
  test('have a lettered clause a sentence, each with its quote and seed', () => {
    const [first] = requirementsOf([saying(1, 'It must count.', 'It must stop.')], code);
    expect(first).toMatchObject({
      id: 'R1',
      title: 'It must count.',
      clauses: [
        {
          id: 'R1.a',
          text: 'It must count.',
          quotes: [{ doc: 'thread:1', quote: 'It must count.', seed: 's1' }],
        },
        { id: 'R1.b', text: 'It must stop.' },
      ],
    });
  });

  test('say a thing once, six things at most, and nothing that gives the fix away', () => {
    const many = Array.from({ length: 9 }, (_, at) => `Number ${at} must hold.`);
    const [first] = requirementsOf(
      [saying(1, 'Use spareTokens.', ...many, 'number 0 must hold')],
      code,
    );
    expect(first?.clauses.map(({ text }) => text)).toEqual(many.slice(0, 6));
  });

  test('declare a pinned name where the part that brings it is', () => {
    const declared = requirementsOf([seed(1), seed(2)], code).map((found) => found.interface);
    expect(declared).toEqual([
      ['the name `peekLeft`', 'the text `none left`'],
      ['the name `pauseAll`'],
    ]);
  });

  test('are coupled where the seed graph ties their seeds, in either direction, once', () => {
    const edge = { kind: 'blame' as const, weight: 1, evidence: '' };
    const edges = [
      { ...edge, from: 's2', to: 's1' },
      { ...edge, from: 's1', to: 's2' },
    ];
    expect(couplingsOf([seed(1), seed(2)], edges)).toEqual([
      { from: 'R1', to: 'R2', kind: 'constrains', text: '' },
    ]);
    expect(couplingsOf([seed(1), seed(2)], [])).toEqual([]);
  });
});

test('a statement is made of titles, clauses, declared names and where they meet', () => {
  const [first, second] = requirementsOf(
    [saying(1, 'It must count.'), saying(2, 'It must pause.')],
    {
      ...code,
      pins: { names: ['pauseAll'], literals: [] },
    },
  );
  const text = statementOf('little', first && second ? [first, second] : [], [
    { from: 'R1', to: 'R2', kind: 'orders', text: 'First count, then pause.' },
    { from: 'R1', to: 'R2', kind: 'constrains', text: '' },
  ]);
  expect(text.split('\n').slice(5)).toEqual([
    '## R1. It must count.',
    '',
    '- R1.a: It must count.',
    '',
    '## R2. It must pause.',
    '',
    '- R2.a: It must pause.',
    '',
    'Fixed names, values and messages:',
    '- the name `pauseAll`',
    '',
    '## Where the requirements meet',
    '',
    '- R1 and R2: First count, then pause.',
    '',
  ]);
});

test.each([
  ['node-test', 'test/a.test.ts', true],
  ['node-test', 'test/a.test.mjs', true],
  ['node-test', 'test/types.d.ts', false],
  ['node-test', 'test/fixtures/a.ts', false],
  ['node-test', 'test/data.json', false],
  ['node-test', 'src/a.ts', false],
  ['pytest', 'tests/test_a.py', true],
  ['pytest', 'tests/a_test.py', true],
  ['pytest', 'tests/conftest.py', false],
  ['pytest', 'tests/helpers/test_x.py', false],
] as const)('%s is given %s by name: %s', (runner, path, wanted) => {
  expect(isRunnable(path, specFor(runner))).toBe(wanted);
});

test.each([
  ['a.ts', 'typescript'],
  ['a/b.test.mts', 'typescript'],
  ['a.tsx', 'tsx'],
  ['a.cjs', 'javascript'],
  ['a.py', 'python'],
  ['Makefile', null],
  ['a.rs', null],
])('%s is read as %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});
