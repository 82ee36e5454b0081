import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { holderOf, isInside, isProtected, type Placed, textOf, walk } from './syntax.ts';

/** What the capture rule must know of a language. */
export type Binding = {
  readonly functions: ReadonlySet<string>;
  /** Blocks that end the life of names that are not wide. */
  readonly blocks: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** Identifiers that are uses or declarations of names, not members. */
  readonly isName: (placed: Placed) => boolean;
  /** Names that a node declares, each with its own node, and whether the whole function sees it. */
  readonly declares: (
    node: SyntaxNode,
  ) => readonly { readonly name: SyntaxNode; readonly isWide: boolean }[];
  /** The name of a class member, with what tells it from others of that name (`static`, `get`, `set`). */
  readonly member: (node: SyntaxNode, text: (node: SyntaxNode) => string) => string | null;
  readonly builtins: ReadonlySet<string>;
};

type Declared = {
  readonly text: string;
  readonly at: number;
  readonly scope: SyntaxNode;
  /** The innermost block or function that ends the name's life. */
  readonly block: SyntaxNode;
};

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.capture', at, detail });

type Scope = { readonly scope: SyntaxNode; readonly block: SyntaxNode };

function scopeOf(node: SyntaxNode, outer: Scope, { functions, blocks }: Binding): Scope {
  if (functions.has(node.type)) return { scope: node, block: node };
  return blocks.has(node.type) ? { ...outer, block: node } : outer;
}

/** Every declaration in a tree with the function (or the file) that holds it. */
function declarations(root: SyntaxNode, bytes: Uint8Array, binding: Binding): Declared[] {
  const top: Scope = { scope: root, block: root };
  const scopes = new Map<SyntaxNode | undefined, Scope>();
  const found: Declared[] = [];
  for (const { node, parent } of walk(root)) {
    const outer = scopes.get(parent?.node) ?? top;
    scopes.set(node, scopeOf(node, outer, binding));
    for (const { name, isWide } of binding.declares(node)) {
      const block = isWide ? outer.scope : outer.block;
      found.push({ text: textOf(name, bytes), at: name.start, scope: outer.scope, block });
    }
  }
  return found;
}

/** Whether a use of a name is bound by a protected function that lies between it and `holder`. */
function isBoundBetween(
  { parent }: Placed,
  name: string,
  holder: SyntaxNode,
  bound: ReadonlyMap<SyntaxNode, ReadonlySet<string>>,
): boolean {
  for (let up = parent; up !== null && up.node !== holder; up = up.parent)
    if (bound.get(up.node)?.has(name)) return true;
  return false;
}

function usedNames(
  holder: SyntaxNode,
  root: SyntaxNode,
  { candidate, regions }: FrameInput,
  binding: Binding,
  bound: ReadonlyMap<SyntaxNode, ReadonlySet<string>>,
): Set<string> {
  const used = new Set<string>();
  for (const placed of walk(root)) {
    const { node } = placed;
    if (!isInside(node, holder) || !isProtected(node, regions, 'candidate')) continue;
    if (!binding.isName(placed)) continue;
    const name = textOf(node, candidate);
    if (!isBoundBetween(placed, name, holder, bound)) used.add(name);
  }
  return used;
}

function boundBy(declared: readonly Declared[]): Map<SyntaxNode, Set<string>> {
  const bound = new Map<SyntaxNode, Set<string>>();
  for (const { scope, text } of declared)
    bound.set(scope, (bound.get(scope) ?? new Set()).add(text));
  return bound;
}

function regionCaptures(
  region: FrameInput['regions'][number],
  roots: { readonly before: SyntaxNode; readonly after: SyntaxNode },
  input: FrameInput,
  binding: Binding,
): FrameHit[] {
  const holder = holderOf(roots.after, region.candidate, binding.functions);
  const old = declarations(roots.before, input.base, binding);
  const now = declarations(roots.after, input.candidate, binding);
  const had = new Set(
    old.flatMap(({ text, at }) => (at >= region.base.start && at < region.base.end ? [text] : [])),
  );
  const isNew = ({ at, scope, block, text }: Declared) =>
    at >= region.candidate.start &&
    at < region.candidate.end &&
    scope === holder &&
    !isInside(block, region.candidate) &&
    !had.has(text);
  const fresh = now.filter(isNew);
  if (fresh.length === 0) return [];
  const kept = now.filter(({ at }) =>
    isProtected({ start: at, end: at + 1 }, input.regions, 'candidate'),
  );
  const outside = new Set(kept.map(({ text }) => text));
  const used = usedNames(holder, roots.after, input, binding, boundBy(kept));
  return fresh.flatMap(({ text, at }) => {
    const isBound = outside.has(text) || binding.builtins.has(text);
    return isBound && used.has(text)
      ? [hit(at, `"${text}" now means something else in protected text`)]
      : [];
  });
}

/** Members that a region declares beside a protected member of the same name in the same class. */
function memberHits(
  after: SyntaxNode,
  before: SyntaxNode,
  input: FrameInput,
  binding: Binding,
): FrameHit[] {
  const membersIn = (root: SyntaxNode, bytes: Uint8Array) =>
    [...walk(root)].flatMap(({ node, parent }) => {
      if (parent === null || !binding.classes.has(parent.node.type)) return [];
      const name = binding.member(node, (one) => textOf(one, bytes));
      return name === null ? [] : [{ name, node, body: parent.node }];
    });
  const isInRegion = (node: SyntaxNode, side: 'base' | 'candidate') =>
    input.regions.some((region) => isInside(node, region[side]));
  const had = new Set(
    membersIn(before, input.base).flatMap(({ name, node }) =>
      isInRegion(node, 'base') ? [name] : [],
    ),
  );
  const all = membersIn(after, input.candidate);
  return all.flatMap(({ name, node, body }) => {
    if (!isInRegion(node, 'candidate') || had.has(name)) return [];
    const twin = all.find(
      (one) => one.name === name && one.body === body && !isInRegion(one.node, 'candidate'),
    );
    return twin ? [hit(node.start, `the member "${name}" is declared in protected text`)] : [];
  });
}

/**
 * The capture rule: a body may not newly declare, in the scope of its function, a name that protected text of that function uses
 * and that is bound by protected code or is built in; nor a member that protected text of the class declares.
 * Source: contracts.md 7.
 */
export function captureHits(
  before: SyntaxNode,
  after: SyntaxNode,
  input: FrameInput,
  binding: Binding,
): FrameHit[] {
  const roots = { before, after };
  return [
    ...input.regions.flatMap((region) => regionCaptures(region, roots, input, binding)),
    ...memberHits(after, before, input, binding),
  ];
}
