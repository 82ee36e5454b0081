import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractCases } from '../../../support/contract-cases.ts';

/** Titles of tests, and rows of a table of tests whose title begins with the row's name. */
const title = /['"`](?:case )?(A?\d{1,2}): /g;

test('every numbered case of the contract checker has at least one test', () => {
  const files = globSync('test/**/{cases,contract-cases}/*.test.ts');
  const found = new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(title)].map(([, number]) => number),
    ),
  );
  expect(contractCases.filter((number) => !found.has(number))).toEqual([]);
});
