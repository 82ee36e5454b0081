import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { readTree } from './conforms.ts';
import { lintForbidden } from './lint-forbidden.ts';
import { lintFrames } from './lint-frames.ts';
import { lintPaths } from './lint-paths.ts';
import { byPrimary } from './reason-codes.ts';
import { entryIds, spansOf } from './regions.ts';

type Read = (sha256: string) => Uint8Array;
type Tree = ReadonlyMap<string, TreeEntry>;

const reason = (code: string, path: string | null, detail: string): Reason => ({
  code: `contract.${code}`,
  path,
  at: null,
  detail,
});

function regionReasons(contract: Contract, base: Tree, read: Read): Reason[] {
  const ids = entryIds(contract);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  const entries = contract.editable.map((entry, at) => ({ id: ids[at] ?? '', entry }));
  const reasons = twice.map((id) => reason('value', null, `the entry "${id}" occurs twice`));
  for (const file of new Set(contract.editable.map((entry) => entry.file))) {
    const known = base.get(file);
    if (known?.kind !== 'file' && known?.kind !== 'exec') continue;
    const spans = spansOf(
      entries.filter(({ entry }) => entry.file === file),
      read(known.sha256),
    );
    if ('code' in spans)
      reasons.push({ code: spans.code, path: spans.path, at: null, detail: spans.detail });
  }
  return reasons;
}

/**
 * Whether a contract is sound for its base; an unsound one stops the work before any model is asked. Reads the base alone.
 * Empty when it is sound; else every reason, the primary one first. Source: contracts.md 2.4.
 */
export function lintContract(contract: Contract, base: string, read: Read, parse: Parse): Reason[] {
  const tree = readTree(base, read);
  const shape = [
    ...lintPaths(contract, tree),
    ...regionReasons(contract, tree, read),
    ...lintForbidden(contract),
  ];
  if (contract.base.manifest !== `sha256:${base}`)
    shape.push(
      reason('base-mismatch', null, `written for ${contract.base.manifest}, got sha256:${base}`),
    );
  // Frames are looked at on regions that are sound; on others they would only repeat what is wrong.
  const frames = shape.length > 0 ? [] : lintFrames(contract, { tree, read, parse });
  return byPrimary([...shape, ...frames]);
}
