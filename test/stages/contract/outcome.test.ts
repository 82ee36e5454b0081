import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attempt } from '../../../schemas/attempt.ts';
import { Outcome } from '../../../schemas/outcome.ts';
import { attemptClass, outcomeOf } from '../../../stages/contract/outcome.ts';
import { attempt } from '../../support/attempts.ts';

const valid = attempt(true, 'true');
const falseSuccess = attempt(false, 'true');
const failure = attempt(true, 'false');
const violation = attempt(false, 'not-run');
const measured = attempt(false, 'false');
const invalid = attempt(null, 'not-run');

test.each<[string, [Attempt, ...Attempt[]], Outcome]>([
  ['gold', [valid], 'valid-success'],
  ['a candidate that builds and violates', [falseSuccess], 'false-success'],
  ['a conforming candidate that fails', [failure], 'safe-failure'],
  ['a violation that was never built (case 87)', [violation], 'rejected-violation'],
  ['a violation that was built and fails', [measured], 'rejected-violation'],
  ['no candidate', [invalid], 'invalid-candidate'],
  [
    'three conforming failures and an unparsable reply (case 88)',
    [failure, failure, failure, invalid],
    'invalid-candidate',
  ],
  ['a violation, then a conforming failure', [violation, failure], 'safe-failure'],
  ['false success before a right answer (case 86)', [falseSuccess, valid], 'false-success'],
  ['a right answer after a violation', [violation, valid], 'valid-success'],
])('%s ends as it must', (_, attempts, outcome) => {
  expect(outcomeOf(attempts)).toBe(outcome);
});

test('a tree that no disk could hold is no candidate', () => {
  const broken = attempt(false, 'not-run');
  const report = broken.report && {
    ...broken.report,
    conjuncts: { ...broken.report.conjuncts, tree: false },
  };
  expect(attemptClass({ ...broken, report })).toBe('invalid');
});

test('an attempt that lacks its tree or its report is invalid', () => {
  expect(attemptClass({ ...valid, candidate: null })).toBe('invalid');
  expect(attemptClass({ ...valid, report: null })).toBe('invalid');
});

test('a conforming candidate that was never built has no class', () => {
  expect(() => attemptClass(attempt(true, 'not-run'))).toThrow('never built');
});

test('every list of finished attempts has exactly one outcome, and a success only if one of them built', () => {
  const any = fc.constantFrom(valid, falseSuccess, failure, violation, measured, invalid);
  fc.assert(
    fc.property(any, fc.array(any, { maxLength: 4 }), (first, rest) => {
      const outcome = outcomeOf([first, ...rest]);
      expect(Outcome.options).toContain(outcome);
      const built = [first, ...rest].some(({ build }) => build.status === 'true');
      expect(outcome.endsWith('success')).toBe(built);
    }),
  );
});
