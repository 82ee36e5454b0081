import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { readTree } from './conforms.ts';
import { isNeverEditable } from './never-editable.ts';
import { packs } from './packs/registry.ts';
import { isOverridden } from './path-rules.ts';
import { hardPathProblem } from './paths.ts';
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

function pathReasons(contract: Contract, base: Tree): Reason[] {
  const named = [...contract.editable.map(({ file }) => file), ...contract.delete];
  const bad = named.filter((path) => hardPathProblem(path) !== null);
  const closed = named.filter((path) => isNeverEditable(path) && !isOverridden(contract, path));
  const absent = contract.editable.filter(({ file }) => !base.has(file));
  return [
    ...bad.map((path) => reason('path', path, 'a path that no tree may hold')),
    ...closed.map((path) =>
      reason('protected-path', path, 'a name that is never editable, and no override'),
    ),
    ...absent.map(({ file }) =>
      reason('value', file, 'an editable file that the base does not have'),
    ),
    ...[...base.keys()]
      .filter((path) => hardPathProblem(path) !== null)
      .map((path) => reason('base-invalid', path, 'a path of the base breaks the hard rules')),
  ];
}

function regionReasons(contract: Contract, base: Tree, read: Read): Reason[] {
  const ids = entryIds(contract);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  const entries = contract.editable.map((entry, at) => ({ id: ids[at] ?? '', entry }));
  const reasons = twice.map((id) => reason('value', null, `the entry "${id}" occurs twice`));
  for (const file of new Set(contract.editable.map((entry) => entry.file))) {
    const known = base.get(file);
    if (known === undefined) continue;
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
 * Empty when it is sound; else every reason, the primary one first. Source: contracts.md 2.4, the checks of this form.
 */
export function lintContract(
  contract: Contract,
  base: string,
  read: Read,
  _parse: Parse,
): Reason[] {
  const tree = readTree(base, read);
  const reasons = [...pathReasons(contract, tree), ...regionReasons(contract, tree, read)];
  if (contract.base.manifest !== `sha256:${base}`) {
    reasons.push(
      reason('base-mismatch', null, `written for ${contract.base.manifest}, got sha256:${base}`),
    );
  }
  const unknown = contract.forbidden.packs.filter((name) => !Object.hasOwn(packs, name));
  reasons.push(...unknown.map((name) => reason('pack-unknown', null, `"${name}" is no pack`)));
  return byPrimary(reasons);
}
