import type { ContractReport } from '../../schemas/contract-report.ts';
import { readTree } from '../../stages/contract/conforms.ts';
import type { Difference } from '../../stages/contract/explain-report.ts';
import type { BlobStore } from './blob-store.ts';

const BEFORE = 8;
const WINDOW = 16;
const MOST = 20;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function firstDifference(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) if (left[at] !== right[at]) return at;
  return shared;
}

/** For each refused path that both trees hold, the first bytes that differ. */
export function differencesOf(
  { reasons, base, candidate }: ContractReport,
  blobs: BlobStore,
): Difference[] {
  const [old, now] = [readTree(base, blobs.get), readTree(candidate, blobs.get)];
  const paths = new Set(
    reasons.flatMap(({ code, path }) => (code.startsWith('bytes.') && path !== null ? [path] : [])),
  );
  return [...paths].slice(0, MOST).flatMap((path) => {
    const [was, is] = [old.get(path), now.get(path)];
    if (was === undefined || is === undefined || was.kind === 'gitlink' || is.kind === 'gitlink')
      return [];
    const [left, right] = [blobs.get(was.sha256), blobs.get(is.sha256)];
    const at = firstDifference(left, right);
    const part = (bytes: Uint8Array) => hex(bytes.subarray(at, at + WINDOW));
    const before = hex(left.subarray(Math.max(0, at - BEFORE), at));
    return [{ path, at, before, base: part(left), candidate: part(right) }];
  });
}
