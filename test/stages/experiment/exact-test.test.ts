import { describe, expect, test } from 'vitest';
import { fisherExact, printFraction, signTest } from '../../../stages/experiment/exact-test.ts';

/** capri-facts 8: every comparison with its published or recomputed p, by (better, worse) and side. */
describe('the exact sign test gives the published p', () => {
  test.each([
    ['C3 against C0, blocks', 4, 2, 'two', '0.6875', 11n, 16n],
    ['C4 against C1, blocks', 1, 0, 'two', '1', 1n, 1n],
    ['C4 against C0, blocks', 10, 0, 'two', '0.001953', 1n, 512n],
    ['C1 against C0, blocks', 9, 0, 'two', '0.003906', 1n, 256n],
    ['C1 against C0, blocks, one side', 9, 0, 'one', '0.001953', 1n, 512n],
    ['C1 or C4 against C0, tasks', 6, 0, 'two', '0.03125', 1n, 32n],
    ['C2 against C1, tasks', 0, 1, 'two', '1', 1n, 1n],
    ['C3 against C0, tasks', 2, 0, 'two', '0.5', 1n, 2n],
    ['C4 against C1, tasks', 1, 0, 'two', '1', 1n, 1n],
    ['C2 against C0, tasks', 5, 0, 'two', '0.0625', 1n, 16n],
    ['SOL-FS-SOL against C2, one side', 4, 0, 'one', '0.0625', 1n, 16n],
    ['SOL-FS-SOL against C2, two sides', 4, 0, 'two', '0.125', 1n, 8n],
    ['SOL-FS, first replicate', 1, 0, 'one', '0.5', 1n, 2n],
    ['UP+, FS and BASE-FS, first replicate', 1, 2, 'one', '0.875', 7n, 8n],
    ['no discordant pair', 0, 0, 'two', '1', 1n, 1n],
    ['three false successes against none', 3, 0, 'two', '0.25', 1n, 4n],
  ] as const)('%s', (_, b, c, side, printed, num, den) => {
    const p = signTest(b, c, side);
    expect(p).toEqual({ num, den });
    expect(printFraction(p)).toBe(printed);
  });

  test('every (k + 1, k) has the same one-sided p, so a table cannot be told from it', () => {
    for (const k of [0, 1, 7, 40]) expect(signTest(k + 1, k, 'one')).toEqual({ num: 1n, den: 2n });
  });

  test('both sides together are symmetric in the pair', () => {
    expect(signTest(3, 11, 'two')).toEqual(signTest(11, 3, 'two'));
  });

  test.each([
    [-1, 0],
    [0.5, 0],
    [0, Number.NaN],
  ])('(%s, %s) is no pair of counts', (b, c) => {
    expect(() => signTest(b, c, 'two')).toThrow('is no count');
  });
});

test('six false successes of 72 against none of 36 are no evidence by the exact test of Fisher', () => {
  const p = fisherExact({ hits: 6, of: 72 }, { hits: 0, of: 36 });
  expect(printFraction(p)).toBe('0.1755');
});

test.each([
  [{ num: 1n, den: 3n }, '0.3333'],
  [{ num: 2n, den: 3n }, '0.6667'],
  [{ num: 1n, den: 1048576n }, '0.0000009537'],
  [{ num: 99999n, den: 100000n }, '1'],
  [{ num: 0n, den: 1n }, '0'],
] as const)('a fraction is printed with four significant digits, case %#', (fraction, printed) => {
  expect(printFraction(fraction)).toBe(printed);
});
