import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blobPath, openBlobs, sweepDrafts } from '../../../pipeline/ledger/blobs.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'blobs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = new TextEncoder().encode('a hundred and more bytes of a log');

test('a full disk leaves nothing half-written under its final name', () => {
  const blobs = openBlobs(folder, (file, all) => {
    writeSync(file, all.subarray(0, 5));
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  expect(() => blobs.put(bytes)).toThrow(
    expect.objectContaining({
      code: 'disk-full',
      message: expect.stringMatching(/^Writing a blob of 33 bytes .*Free some space/),
    }),
  );
  expect(existsSync(join(folder, blobPath(sha256(bytes))))).toBe(false);
  expect(readdirSync(join(folder, 'blobs', 'drafts'))).toEqual([]);
});

test('the next put after a full disk writes the whole blob', () => {
  let full = true;
  const blobs = openBlobs(folder, (file, all) => {
    if (full) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    writeFileSync(file, all);
  });
  expect(() => blobs.put(bytes)).toThrow(expect.objectContaining({ code: 'disk-full' }));
  full = false;
  expect(blobs.get(blobs.put(bytes))).toEqual(bytes);
});

test('an error that is no news of the world travels on as it is', () => {
  const bug = new TypeError('bug');
  const blobs = openBlobs(folder, () => {
    throw bug;
  });
  expect(() => blobs.put(bytes)).toThrow(bug);
});

test('a blob cut by a killed writer is written again', () => {
  const digest = openBlobs(folder).put(bytes);
  writeFileSync(join(folder, blobPath(digest)), bytes.subarray(0, 3));
  expect(openBlobs(folder).put(bytes)).toBe(digest);
  expect(openBlobs(folder).get(digest)).toEqual(bytes);
});

test('what a killed writer left half-written is swept', () => {
  openBlobs(folder).put(bytes);
  writeFileSync(join(folder, 'blobs', 'drafts', 'rest'), 'x');
  sweepDrafts(folder);
  expect(existsSync(join(folder, 'blobs', 'drafts'))).toBe(false);
});
