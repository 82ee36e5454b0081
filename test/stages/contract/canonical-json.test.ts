import { expect, test } from 'vitest';
import { canonicalJson, digestOf, sha256 } from '../../../stages/contract/canonical-json.ts';

test('keys are sorted by UTF-16 code units at every depth and blanks are gone', () => {
  const value = { '\ufb33': 1, '\u{1F600}': 2, '1': [{ b: null, a: true }], '\r': 'x\u2028"' };
  expect(canonicalJson(value)).toBe(
    '{"\\r":"x\u2028\\"","1":[{"a":true,"b":null}],"\u{1F600}":2,"\ufb33":1}',
  );
});

test('numbers are spelled as RFC 8785 spells them', () => {
  expect(canonicalJson([Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
  );
});

test('an absent member and an undefined one are the same value', () => {
  expect(digestOf({ a: 1, b: undefined })).toBe(digestOf({ a: 1 }));
});

test.each([[Number.NaN], ['\ud800'], [() => 1], [[undefined]]])(
  '%s has no canonical form',
  (value) => {
    expect(() => canonicalJson(value)).toThrow(/^canonical JSON: .* (?:not a JSON|half a)/);
  },
);

test('a digest is over UTF-8 bytes', () => {
  expect(sha256('é')).toBe(sha256(new Uint8Array([0xc3, 0xa9])));
});

test('members are sorted in whatever order they came', () => {
  expect(canonicalJson({ b: 1, a: 2, c: 3, aa: 4 })).toBe('{"a":2,"aa":4,"b":1,"c":3}');
});
