import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseYaml } from '../../../pipeline/config/parse-yaml.ts';
import { readYaml } from '../../../pipeline/config/read-yaml.ts';
import { isUsageError, problemLine } from '../../../pipeline/config/usage-problem.ts';

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (isUsageError(error)) return error.problems.map(problemLine);
    throw error;
  }
  return [];
}

const read = (text: string) => problemsOf(() => readYaml(text, 'x.yaml'));
const Version = z.strictObject({ sha: z.string().optional(), version: z.string().optional() });
const parsed = (text: string) => problemsOf(() => parseYaml(text, 'x.yaml', Version));

test('a double key is named with its line', () => {
  expect(read('a: 1\nb: 2\na: 3\n')).toEqual([
    'expected each key once, got Map keys must be unique (x.yaml:3)',
  ]);
});

test.each([
  ['sha: 12e4567', 'sha: expected a string (in quotes), got the number 12e4567 (x.yaml:1)'],
  ['sha: 0123456', 'sha: expected a string (in quotes), got the number 0123456 (x.yaml:1)'],
  ['\nversion: 1.10', 'version: expected a string (in quotes), got the number 1.10 (x.yaml:2)'],
])('%j is refused where a string is wanted, as it was typed', (text, problem) => {
  expect(parsed(text)).toEqual([problem]);
});

test('a version in quotes is kept as it is', () => {
  expect(parseYaml('version: "1.10"', 'x.yaml', Version)).toEqual({ version: '1.10' });
});

test('a number too large to hold is refused where a number is wanted', () => {
  const problems = problemsOf(() => parseYaml('n: 12e4567', 'x.yaml', z.object({ n: z.number() })));
  expect(problems).toEqual([
    'n: expected a value of type number, got the number 12e4567 (x.yaml:1)',
  ]);
});

test('a directive that would turn "no" into false is refused with its line', () => {
  expect(read('# first\n%YAML 1.1\n---\non: no\n')).toEqual([
    'expected no directive, got "%YAML 1.1" (x.yaml:2)',
  ]);
});

test('without a directive "on" and "no" are words', () => {
  expect(readYaml('on: no', 'x.yaml').value).toEqual({ on: 'no' });
});

test.each([
  ['a: !!str 1\n', 'tag:yaml.org,2002:str'],
  ['a: 1\nb: !run ls\n', '!run'],
])('a tag is refused: %j', (text, tag) => {
  expect(read(text)).toEqual([expect.stringContaining(`expected no tag, got "${tag}"`)]);
});

test('a second document is not ignored in silence', () => {
  expect(read('a: 1\n---\nb: 2\n')).toEqual([
    expect.stringMatching(/^expected one document in the file, got .*\(x\.yaml:2\)$/),
  ]);
});

test('a nine-level alias bomb is refused in under a second, with the limit', () => {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const items = level === 0 ? 'lol' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 9 }, () => items).join(', ')}]`;
  });
  const start = performance.now();
  expect(read(levels.join('\n'))).toEqual([
    'expected at most 1000 copies by aliases, got more (x.yaml:1)',
  ]);
  expect(performance.now() - start).toBeLessThan(1000);
});

test('a legal file with 150 aliases is read', () => {
  const uses = Array.from({ length: 150 }, (_, at) => `u${at}: *base`).join('\n');
  const { value } = readYaml(`base: &base {a: 1}\n${uses}\n`, 'x.yaml');
  expect(Object.keys(value as object)).toHaveLength(151);
});

test('an alias of nothing is named', () => {
  expect(read('a: *nowhere')).toEqual([expect.stringMatching(/nowhere/)]);
});

test('every problem of the text comes at once', () => {
  expect(read('a: 1\na: 2\nb: !x 1\nc: [1\n').length).toBeGreaterThanOrEqual(3);
});

describe('what a schema says', () => {
  const Schema = z.strictObject({
    list: z.array(z.strictObject({ kind: z.enum(['a', 'b']), count: z.number().min(1) })),
  });

  test('every problem comes at once, with path, expected, got and line', () => {
    const text = 'list:\n  - {kind: c, count: 0}\n  - {kind: a, cuont: 2}\nmore: 1\n';
    expect(problemsOf(() => parseYaml(text, 'x.yaml', Schema))).toEqual([
      'list[0].kind: expected one of "a", "b", got "c" (x.yaml:2)',
      'list[0].count: expected at least 1, got the number 0 (x.yaml:2)',
      'list[1].count: expected a value of type number, got nothing (x.yaml:3)',
      'list[1].cuont: expected one of kind, count (did you mean "count"?), got "cuont" (x.yaml:3)',
      'more: expected one of list, got "more" (x.yaml:4)',
    ]);
  });

  test('JSON is read by the same door', () => {
    expect(parseYaml('{"list": []}', 'x.json', Schema)).toEqual({ list: [] });
  });

  test('an empty file is nothing, not an empty object', () => {
    expect(problemsOf(() => parseYaml('', 'x.yaml', Schema))).toHaveLength(1);
  });
});
