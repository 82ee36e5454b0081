import { expect, test } from 'vitest';
import { resemblance, signatureOf } from '../../../stages/dedup/min-hash.ts';

const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `word${from + at}`).join(' ');

test('texts resemble each other by the share of what they say in the same words', () => {
  const whole = signatureOf(words(0, 400));
  expect(resemblance(whole, whole)).toBe(1);
  expect(resemblance(whole, signatureOf(words(1000, 1400)))).toBeLessThan(0.05);
  // 300 of 500 words are common, so about 297 of 497 shingles.
  const half = resemblance(whole, signatureOf(words(100, 500)));
  expect(Math.abs(half - 297 / 497)).toBeLessThan(0.13);
});

test('case, signs and line ends say nothing, order of words does', () => {
  const text = signatureOf('Take three tokens, wait, take one more token.');
  expect(resemblance(text, signatureOf('take three\ntokens wait (take) ONE more token'))).toBe(1);
  expect(resemblance(text, signatureOf('token more one take wait tokens three take'))).toBe(0);
});

test('short and empty texts have a signature, too', () => {
  expect(resemblance(signatureOf(''), signatureOf(''))).toBe(1);
  expect(resemblance(signatureOf('one'), signatureOf('two'))).toBe(0);
});
