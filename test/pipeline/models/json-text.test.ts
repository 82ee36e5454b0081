import { expect, test } from 'vitest';
import { isCutJson } from '../../../pipeline/models/json-text.ts';

test.each([
  ['{"a":1}', false],
  ['[1,2]', false],
  ['{"a":"}', true],
  ['{"a":"\\"}', true],
  ['{"a":"}"', true],
  ['{"a":[1,2', true],
  ['{"a":{"b":1}', true],
  [' \n{', true],
  ['```json\n{"a":1}\n```', false],
  ['```json\n{"a":1', true],
  ['No JSON here.', false],
  ['{"a": nonsense}', false],
  ['', false],
])('%j is cut: %s', (text, cut) => {
  expect(isCutJson(text)).toBe(cut);
});
