import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Titles of tests, and of the rows of a table of tests whose title begins with the row's name. */
const title = /['"`](?:case )?(A?\d{1,2}): /g;

const wanted = [
  ...Array.from({ length: 90 }, (_, at) => String(at + 1)),
  ...Array.from({ length: 12 }, (_, at) => `A${at + 1}`),
];

test('every numbered case of the contract checker has at least one test', () => {
  const files = globSync('test/**/{cases,contract-cases}/*.test.ts');
  const found = new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(title)].map(([, number]) => number),
    ),
  );
  expect(wanted.filter((number) => !found.has(number))).toEqual([]);
});
