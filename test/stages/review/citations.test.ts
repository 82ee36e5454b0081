import { expect, test } from 'vitest';
import { isVerbatim } from '../../../stages/review/citations.ts';

const text =
  'A call must be refused when the bucket is empty. The bucket refills. refillRate is a number.';

test.each([
  ['a sentence of the text', 'must be refused when', true],
  ['a whole identifier', 'refillRate', true],
  ['one letter otherwise', 'must be refused When', false],
  ['blanks otherwise', 'must  be refused', false],
  ['too short to mean anything', 'a number.', false],
  ['twice in the text', 'bucket', false],
  ['an ellipsis', 'A call must … empty', false],
  ['nothing', '', false],
  ['longer than anybody quotes', 'x'.repeat(401), false],
])('%s', (_, quote, wanted) => {
  expect(isVerbatim(quote, text)).toBe(wanted);
});

test('of a document that nobody showed nothing is verbatim', () => {
  expect(isVerbatim('must be refused when', undefined)).toBe(false);
});
