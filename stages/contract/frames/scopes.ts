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
  readonly names: Map<string, Declared[]>;
  readonly moved: Map<string, { readonly to: 'module' | 'outer'; readonly at: number }>;
};

/** A use of a name in protected text, by its place there. */
type Use = {
  readonly name: string;
  readonly at: number;
  readonly place: string;
  readonly scope: Scope;
};

export type Scoped = { readonly uses: readonly Use[]; readonly scopes: readonly Scope[] };

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

type Pending = { readonly name: string; readonly scope: Scope; readonly declared: Declared };

/** A name that is declared elsewhere than where it stands: `global x` and then `x = 1` in a function. */
function settle(pending: readonly Pending[]): void {
  for (const { name, scope, declared } of pending) {
    const move = scope.moved.get(name);
    const home = move === undefined ? scope : moveTarget(scope, move.to, name);
    const known = home?.names.get(name);
    if (known) known.push(declared);
    else home?.names.set(name, [declared]);
  }
}

/** Every scope of a file, what each declares, and the uses of names in protected text. */
export function scopesOf(
  root: SyntaxNode,
  bytes: Uint8Array,
  regions: readonly FrameRegion[],
  side: Side,
  binding: Binding,
): Scoped {
  const module = opened('module', 'module', null);
  const scopeIn = new Map<SyntaxNode, Scope>();
  const homes = new Map<SyntaxNode, Scope>();
  const pending: Pending[] = [];
  const uses: Use[] = [];
  const scopes = [module];
  const nameOf = (node: SyntaxNode) => binding.read(textOf(node, bytes));
  for (const placed of walk(root)) {
    const { node, parent } = placed;
    const around = (parent && scopeIn.get(parent.node)) ?? module;
    const place = placeOf(node.start, regions, side);
    const kind = parent === null ? null : binding.scope(node);
    const own = kind === null ? around : opened(kind, `${kind} ${place}`, around);
    if (own !== around) scopes.push(own);
    scopeIn.set(node, own);
    for (const { name, reach, how } of binding.declares(placed)) {
      const scope = reach === 'own' ? own : reach === 'block' ? around : wide(around);
      homes.set(name, scope);
      pending.push({ name: nameOf(name), scope, declared: { at: name.start, how } });
    }
    for (const { name, to } of binding.moves(node))
      wide(own).moved.set(nameOf(name), { to, at: name.start });
    if (place !== null && node.end > node.start && binding.isName(placed))
      uses.push({ name: nameOf(node), at: node.start, place, scope: homes.get(node) ?? own });
  }
  settle(pending);
  return { uses, scopes };
}
