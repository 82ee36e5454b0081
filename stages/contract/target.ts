import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { DeclarationSpan } from './profiles/profile.ts';
import { profileOf } from './profiles/registry.ts';

type Tree = ReadonlyMap<string, TreeEntry>;
type Declared = NonNullable<Contract['target']>['declarations'][number];
type Read = (sha256: string) => Uint8Array;

/** Every declaration of a target's name and kind in one tree; null when its profile finds no declarations at all. */
export function declarationsOf(
  { file, kind, name, profile }: Declared,
  tree: Tree,
  read: Read,
  parse: Parse,
): readonly DeclarationSpan[] | null {
  const entry = tree.get(file);
  if (entry === undefined || (entry.kind !== 'file' && entry.kind !== 'exec')) return [];
  const find = profileOf(file, profile).declarations;
  if (find === null) return null;
  const found = find(file, read(entry.sha256), parse);
  return found.filter((one) => one.kind === kind && one.name === name);
}

/** Whether each target is declared exactly once. A file that cannot be read is a violation. Source: contracts.md 1, t_C. */
export function targetReasons(
  contract: Contract,
  tree: Tree,
  read: Read,
  parse: Parse,
): Reason[] | null {
  const declared = contract.target?.declarations;
  if (declared === undefined) return null;
  return declared.flatMap((target): Reason[] => {
    const reason = (code: string, detail: string) => ({
      code,
      path: target.file,
      at: null,
      detail,
    });
    const what = `the ${target.kind} "${target.name}"`;
    try {
      const count = declarationsOf(target, tree, read, parse)?.length ?? 0;
      if (count === 1) return [];
      if (count === 0) return [reason('target.missing', `${what} is not declared`)];
      return [reason('target.duplicate', `${what} is declared ${count} times`)];
    } catch (error) {
      return [reason('scan.error', `${what} cannot be looked for: ${error}`)];
    }
  });
}
