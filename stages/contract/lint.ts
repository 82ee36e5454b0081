import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { readTree } from './conforms.ts';
import { anyGlob } from './globs.ts';
import { lintFrames } from './lint-frames.ts';
import { isNeverEditable } from './never-editable.ts';
import { packs } from './packs/registry.ts';
import { isOverridden } from './path-rules.ts';
import { ancestorsOf, hardPathProblem } from './paths.ts';
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

/** Globs of droppings may not reach a path of the base, nor anything that the contract lets change. */
function discardReasons(contract: Contract, base: Tree): Reason[] {
  const globs = contract.base.discard ?? [];
  const isDiscarded = anyGlob(globs);
  const named = [...base.keys(), ...contract.editable.map(({ file }) => file), ...contract.delete];
  const met = [...new Set(named)].find(isDiscarded);
  const shared = contract.create.find(({ glob }) => globs.includes(glob));
  return [
    ...(met === undefined ? [] : [reason('value', met, 'a discard glob meets this path')]),
    ...(shared ? [reason('value', null, `"${shared.glob}" is both created and discarded`)] : []),
  ];
}

/** A link above an editable file would let a write end elsewhere. */
function linkReasons(contract: Contract, base: Tree): Reason[] {
  const globFolders = contract.create.map(({ glob }) => glob.replace(/[^/]*[*?{].*$/u, 'x'));
  return [...contract.editable.map(({ file }) => file), ...globFolders].flatMap((path) => {
    const link = [...ancestorsOf(path), path].find((part) => base.get(part)?.kind === 'link');
    return link === undefined ? [] : [reason('base-invalid', path, `"${link}" is a link`)];
  });
}

function forbiddenWords({ forbidden }: Contract): Reason[] {
  const unknown = forbidden.packs.filter((name) => !Object.hasOwn(packs, name));
  const lifted = (forbidden.allow ?? []).filter(({ rule }) => {
    const [pack = ''] = rule.split('#');
    return pack !== 'constructs' && !Object.hasOwn(packs, pack);
  });
  return [
    ...unknown.map((name) => reason('pack-unknown', null, `"${name}" is no pack`)),
    ...lifted.map(({ rule }) => reason('pack-unknown', null, `"${rule}" lifts a rule of no pack`)),
  ];
}

/** What B_C lays over the tree is the contract's own and never a candidate's. */
function overlayReasons({ build, editable, delete: gone }: Contract): Reason[] {
  if (typeof build !== 'object') return [];
  const own = [...build.overlay, ...build.mounts].map(({ path }) => path);
  const isOwn = (path: string) => own.some((one) => path === one || path.startsWith(`${one}/`));
  const met = [...editable.map(({ file }) => file), ...gone].filter(isOwn);
  return met.map((path) =>
    reason('protected-path', path, 'the build lays or mounts this path itself'),
  );
}

/**
 * Whether a contract is sound for its base; an unsound one stops the work before any model is asked. Reads the base alone.
 * Empty when it is sound; else every reason, the primary one first. Source: contracts.md 2.4.
 */
export function lintContract(contract: Contract, base: string, read: Read, parse: Parse): Reason[] {
  const tree = readTree(base, read);
  const shape = [
    ...pathReasons(contract, tree),
    ...regionReasons(contract, tree, read),
    ...discardReasons(contract, tree),
    ...linkReasons(contract, tree),
    ...overlayReasons(contract),
    ...forbiddenWords(contract),
  ];
  if (contract.base.manifest !== `sha256:${base}`)
    shape.push(
      reason('base-mismatch', null, `written for ${contract.base.manifest}, got sha256:${base}`),
    );
  // Frames are looked at on regions that are sound; on others they would only repeat what is wrong.
  const frames = shape.length > 0 ? [] : lintFrames(contract, { tree, read, parse });
  return byPrimary([...shape, ...frames]);
}

/** What a sound contract may still be warned of; never a reason to stop. */
export function lintWarnings(
  contract: Contract,
  referencePaths: readonly string[] | null,
): Reason[] {
  const files = contract.editable.map(({ file }) => file);
  const isLeak =
    referencePaths !== null &&
    files.length > 0 &&
    files.every((path) => referencePaths.includes(path)) &&
    contract.editable.every(({ region }) => region === undefined);
  return [
    ...(isLeak
      ? [reason('leaks-reference', null, "the editable files are exactly the reference's")]
      : []),
    ...(contract.forbidden.packs.length === 0
      ? [reason('no-pack', null, 'nothing is forbidden')]
      : []),
  ];
}
