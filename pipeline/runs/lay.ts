import type { Box, BoxFile, Ledger } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';
import type { Laid } from './expected-tree.ts';

/** Bytes in memory at once while a tree is written. */
const CHUNK_BYTES = 16 * 1024 * 1024;

/** Write blobs to their paths, some at a time, so that memory stays flat whatever the tree's size. */
export async function lay(box: Box, files: readonly Laid[], ledger: Ledger): Promise<void> {
  let [chunk, size]: [BoxFile[], number] = [[], 0];
  for (const { path, kind, sha256: name, bytes: own } of files) {
    const bytes = own ?? ledger.get(name);
    chunk.push({ path, kind, bytes });
    size += bytes.length;
    if (size < CHUNK_BYTES) continue;
    await box.write(chunk);
    [chunk, size] = [[], 0];
  }
  await box.write(chunk);
}

/** Read the overlay back just before the run: a hidden test that is not the recorded one must not decide anything. */
export async function checkLaid(box: Box, files: readonly Laid[], ledger: Ledger): Promise<void> {
  for (const { path, sha256: name, bytes } of files) {
    const found = await box.read(path, (bytes ?? ledger.get(name)).length + 1);
    if (found !== null && sha256(found) === name) continue;
    const message = `Test file "${path}" failed its check before the run: not the recorded bytes. Run again.`;
    throw new Fault(message, { code: 'sandbox-failed', retryable: true });
  }
}
