import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, openRecord } from '../../../pipeline/experiments/record.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('what a shell left that came to no candidate is kept by rollout and attempt, under the sums', () => {
  const folder = tempFolder();
  const record = openRecord(folder);
  const tree = record.blobs.put(new TextEncoder().encode('a tree'));
  const said = record.blobs.put(new TextEncoder().encode('$ ls'));
  const left = { attempt: 2, ended: 'model-unavailable', left: { tree, discarded: [] }, said };
  record.keepLeft('lemma/one/S1/0', left);
  record.close([]);
  const path = 'left/lemma_one_S1_0.2.json';
  expect(filesBelow(folder)).toContain(path);
  expect(JSON.parse(readFileSync(join(folder, path), 'utf8'))).toEqual({
    rollout: 'lemma/one/S1/0',
    ...left,
  });
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toContain(path);
});
