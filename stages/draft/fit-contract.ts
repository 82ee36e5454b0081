import type { Contract } from '../../schemas/contract.ts';
import type { Parse } from '../../schemas/syntax.ts';
import { checkConforms, readTree } from '../contract/conforms.ts';
import { globPattern } from '../contract/globs.ts';
import { isNeverEditable } from '../contract/never-editable.ts';

type Step = {
  readonly base: string;
  readonly gold: string;
  readonly read: (sha256: string) => Uint8Array;
  readonly parse: Parse;
};

/**
 * A drafted contract with room for what the merged change is known to need: as many and as large new files, twice over so
 * that their number is no hint, the files that it deleted, and no pack that forbids what it uses itself (a command-line
 * library ends processes by right). What no contract may give away stays refused.
 */
export function fitContract(contract: Contract, { base, gold, read, parse }: Step): Contract {
  const { reasons } = checkConforms({ contract, base, candidate: gold, read, parse });
  if (reasons.length === 0) return contract;
  const codes = new Set(reasons.map(({ code }) => code));
  const removed = reasons.flatMap(({ code, path }) =>
    code === 'path.removed' && path !== null && !isNeverEditable(path) ? [path] : [],
  );
  return {
    ...contract,
    create: roomFor(contract.create, base, gold, read),
    delete: [...new Set([...contract.delete, ...removed])].toSorted(),
    forbidden: {
      ...contract.forbidden,
      packs: contract.forbidden.packs.filter((name) => !codes.has(`forbidden:${name}`)),
    },
  };
}

function roomFor(
  create: Contract['create'],
  base: string,
  gold: string,
  read: Step['read'],
): Contract['create'] {
  const before = readTree(base, read);
  const created = [...readTree(gold, read).values()].filter(({ path }) => !before.has(path));
  return create.map(({ glob, max_files, max_bytes }) => {
    const fitting = created.filter(({ path }) => globPattern(glob).test(path));
    return {
      glob,
      max_files: Math.max(max_files, 2 * fitting.length),
      max_bytes: Math.max(max_bytes, ...fitting.map(({ size }) => 2 * size)),
    };
  });
}
