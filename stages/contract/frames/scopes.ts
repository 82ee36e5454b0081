import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameRegion } from '../profiles/profile.ts';
import { type Placed, placeOf, type Side, textOf, walk } from './syntax.ts';

/** `block` ends the life of narrow names alone; names of a `class` are not seen by the functions inside it. */
type ScopeKind = 'module' | 'class' | 'function' | 'block';

/**
 * A name that a node declares. `reach`: in the scope that the node opens itself, in the innermost one around it, or in the
 * innermost that is no block. `how`: a function takes the place of a parameter or another function; an update of a value that
 * exists is no second declaration.
 */
export type Declaration = {
  readonly name: SyntaxNode;
  readonly reach: 'own' | 'block' | 'function';
  readonly how: 'function' | 'value' | 'update';
};

/** What must be known of a language to tell which declaration a name means. */
export type Binding = {
  readonly scope: (node: SyntaxNode) => ScopeKind | null;
  /** Identifiers that are uses or declarations of names, not members. */
  readonly isName: (placed: Placed) => boolean;
  readonly declares: (placed: Placed) => readonly Declaration[];
  /** Names that a node makes those of the module or of the function around, as `global` does. */
  readonly moves: (
    node: SyntaxNode,
  ) => readonly { readonly name: SyntaxNode; readonly to: 'module' | 'outer' }[];
  /** A name as the language compares it. */
  readonly read: (text: string) => string;
};

type Declared = Pick<Declaration, 'how'> & { readonly at: number };

export type Scope = {
  readonly key: string;
  readonly kind: ScopeKind;
  readonly outer: Scope | null;
  /** Names declared here, each with the declarations that stand in a body, one of each sort: a name may be declared without end. */
  readonly names: Map<string, Declared[]>;
  readonly moved: Map<string, { readonly to: 'module' | 'outer'; readonly at: number }>;
};

/** A use of a name in protected text, by its place there. */
export type Use = {
  readonly name: string;
  readonly place: string;
  readonly scope: Scope;
};

const opened = (kind: ScopeKind, key: string, outer: Scope | null): Scope => ({
  key,
  kind,
  outer,
  names: new Map(),
  moved: new Map(),
});

function wide(scope: Scope): Scope {
  let around = scope;
  while (around.kind === 'block' && around.outer !== null) around = around.outer;
  return around;
}

/** The scope that a name in it belongs to, null when nothing in the file declares it. */
export function resolve(from: Scope, name: string): Scope | null {
  for (let scope: Scope | null = from; scope !== null; scope = scope.outer) {
    const move = scope.moved.get(name);
    if (move !== undefined) return moveTarget(scope, move.to, name);
    const isSeen = scope.kind !== 'class' || scope === from;
    if (isSeen && scope.names.has(name)) return scope;
  }
  return null;
}

function moveTarget(from: Scope, to: 'module' | 'outer', name: string): Scope | null {
  if (to === 'outer') return from.outer === null ? null : resolve(from.outer, name);
  let scope = from;
  while (scope.outer !== null) scope = scope.outer;
  return scope;
}

type Pending = {
  readonly name: string;
  readonly scope: Scope;
  readonly declared: Declared;
  readonly isInBody: boolean;
};

/** A name that is declared elsewhere than where it stands: `global x` and then `x = 1` in a function. */
function settle(pending: readonly Pending[]): void {
  for (const { name, scope, declared, isInBody } of pending) {
    const move = scope.moved.get(name);
    const home = move === undefined ? scope : moveTarget(scope, move.to, name);
    const listed = home?.names.get(name) ?? [];
    home?.names.set(name, listed);
    if (isInBody && !listed.some(({ how }) => how === declared.how)) listed.push(declared);
  }
}

type Reader = {
  readonly binding: Binding;
  readonly nameOf: (node: SyntaxNode) => string;
  readonly placeOf: (node: SyntaxNode) => string | null;
  readonly module: Scope;
  readonly scopes: Map<SyntaxNode, Scope>;
  /** Where a name belongs that stands as a declaration's own name. */
  readonly homes: Map<SyntaxNode, Scope>;
  readonly pending: Pending[];
};

/** The scope inside a node, after what the node declares is noted. */
function enter(placed: Placed, reader: Reader): Scope {
  const { node, parent } = placed;
  const { binding, nameOf, module, scopes, homes, pending } = reader;
  const around = (parent && scopes.get(parent.node)) ?? module;
  const kind = parent === null ? null : binding.scope(node);
  const own = kind === null ? around : opened(kind, `${kind} ${reader.placeOf(node)}`, around);
  scopes.set(node, own);
  const home = { own, block: around, function: wide(around) };
  for (const { name, reach, how } of binding.declares(placed)) {
    homes.set(name, home[reach]);
    const isInBody = reader.placeOf(name) === null;
    const declared = { at: name.start, how };
    pending.push({ name: nameOf(name), scope: home[reach], declared, isInBody });
  }
  for (const { name, to } of binding.moves(node))
    wide(own).moved.set(nameOf(name), { to, at: name.start });
  return own;
}

/** The uses of names in a file's protected text, each with the scope it stands in; `resolve` tells what it means there. */
export function usesOf(
  root: SyntaxNode,
  bytes: Uint8Array,
  regions: readonly FrameRegion[],
  side: Side,
  binding: Binding,
): Use[] {
  const reader: Reader = {
    binding,
    nameOf: (node) => binding.read(textOf(node, bytes)),
    placeOf: (node) => placeOf(node.start, regions, side),
    module: opened('module', 'module', null),
    scopes: new Map(),
    homes: new Map(),
    pending: [],
  };
  const uses: Use[] = [];
  for (const placed of walk(root)) {
    const { node } = placed;
    const own = enter(placed, reader);
    if (node.end === node.start || !binding.isName(placed)) continue;
    const place = reader.placeOf(node);
    const scope = reader.homes.get(node) ?? own;
    if (place !== null) uses.push({ name: reader.nameOf(node), place, scope });
  }
  settle(reader.pending);
  return uses;
}
