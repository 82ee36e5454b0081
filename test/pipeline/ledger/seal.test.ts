import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../../pipeline/ledger/open.ts';
import { verifySeal } from '../../../pipeline/ledger/seal.ts';

let folder = '';
const at = (path: string) => join(folder, path);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seal-'));
  const ledger = openLedger({ folder, mode: 'write', clock: { now: () => 1 } });
  ledger.note({ kind: 'run-started', record: null, key: 'run', body: {} });
  for (const text of ['', 'one', 'two']) ledger.put(new TextEncoder().encode(text));
  mkdirSync(at('release/data'), { recursive: true });
  writeFileSync(at('release/data/test.jsonl'), '{}\n');
  writeFileSync(at('release/näme \u{10000}.txt'), 'x');
  writeFileSync(at('release/\uffee.txt'), 'x');
  ledger.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sealed = () =>
  readFileSync(at('SHA256SUMS'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(66));

test('the seal names every file but itself and the lock, sorted by path bytes', () => {
  const paths = sealed();
  expect(paths).toHaveLength(7);
  expect(paths).toEqual(
    paths.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
  );
  expect(paths).toContain('ledger.sqlite');
  expect(verifySeal(folder)).toEqual([]);
});

test('one flipped byte anywhere is named', () => {
  for (const path of [...sealed(), 'SHA256SUMS']) {
    const whole = readFileSync(at(path));
    const step = Math.max(1, Math.floor(whole.length / 40));
    for (let place = 0; place < whole.length; place += step) {
      const harmed = Buffer.from(whole);
      harmed[place] = (harmed[place] ?? 0) ^ 0x20;
      writeFileSync(at(path), harmed);
      const named = verifySeal(folder);
      expect(named.length, `${path} at ${place}`).toBeGreaterThan(0);
      if (path !== 'SHA256SUMS') expect(named).toEqual([path]);
    }
    writeFileSync(at(path), whole);
  }
  expect(verifySeal(folder)).toEqual([]);
});

test('missing and added files are named', () => {
  rmSync(at('release/data/test.jsonl'));
  writeFileSync(at('release/data/more.jsonl'), '');
  symlinkSync('/nowhere', at('release/link'));
  expect(verifySeal(folder)).toEqual([
    'release/data/more.jsonl',
    'release/data/test.jsonl',
    'release/link',
  ]);
});

test('an empty line at the end of the seal is a change of the seal', () => {
  writeFileSync(at('SHA256SUMS'), `${readFileSync(at('SHA256SUMS'), 'utf8')}\n`);
  expect(verifySeal(folder)).toEqual(['SHA256SUMS']);
});

test('a harmed blob is not blessed by the next seal', () => {
  const blob = sealed().find((path) => path.startsWith('blobs/')) ?? '';
  writeFileSync(at(blob), 'harmed');
  openLedger({ folder, mode: 'write', clock: { now: () => 2 } }).close();
  expect(verifySeal(folder)).toEqual([blob]);
});

test('a run that is being written has no seal', () => {
  const ledger = openLedger({ folder, mode: 'write', clock: { now: () => 2 } });
  expect(() => verifySeal(folder)).toThrow(/Run the same command again/);
  ledger.close();
  expect(verifySeal(folder)).toEqual([]);
});
