import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reporterFiles } from '../../../pipeline/runs/reporter-files.ts';
import { parsers } from '../../../stages/test-reports/registry.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'together-'));
  mkdirSync(join(root, 'tree'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function report(files: Readonly<Record<string, string>>, flags: readonly string[]) {
  const place = join(root, `report${flags.length}`);
  mkdirSync(place, { recursive: true });
  for (const { name, bytes } of reporterFiles('node-test')) writeFileSync(join(place, name), bytes);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'tree', name), text);
  const path = join(place, 'report.jsonl');
  writeFileSync(`${path}.nonce`, 'nonce');
  const argv = [join(place, 'node-test.mjs'), path, ...flags, ...Object.keys(files)];
  spawnSync(process.execPath, argv, { cwd: join(root, 'tree') });
  const parsed = parsers['node-test'].parse(readFileSync(path), 'nonce');
  return {
    complete: parsed?.complete,
    results: parsed?.results.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

const good = `import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
describe('sums', () => {
  test('adds', () => assert.equal(1 + 1, 2));
  test('is wrong', () => assert.equal(1, 2));
});
test('throws', () => { throw new TypeError('no'); });
`;

test('one process for all files finds what a process for each file finds', () => {
  const files = { 'a.test.mjs': good, 'b.test.mjs': good };
  expect(report(files, ['--together'])).toEqual(report(files, []));
});

test('a file that cannot be loaded is one error of its own, and the others run', () => {
  const files = { 'a.test.mjs': "import './nowhere.mjs';\n", 'b.test.mjs': good };
  const { results } = report(files, ['--together']);
  expect(results?.map(({ id, status }) => `${id}: ${status}`)).toEqual([
    'a.test.mjs: error',
    'b.test.mjs > sums > adds: passed',
    'b.test.mjs > sums > is wrong: failed',
    'b.test.mjs > throws: error',
  ]);
});

test('a file that leaves early takes no test with it as passed', () => {
  const files = { 'a.test.mjs': good, 'b.test.mjs': 'process.exit(0);\n' };
  const { results } = report(files, ['--together']);
  expect(results?.filter(({ status }) => status === 'passed')).toEqual([]);
});
