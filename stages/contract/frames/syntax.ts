import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameInput, FrameRegion } from '../profiles/profile.ts';

/** Larger files are refused and not read in part: a grammar takes its time. */
const MAX_BYTES = 1024 * 1024;

/** A node with the way up to the root; linked and not listed, so that a deep tree costs no more than a flat one. */
export type Placed = {
  readonly node: SyntaxNode;
  readonly parent: Placed | null;
  readonly depth: number;
};

type Parse = FrameInput['parse'];

/** One file is read by several rules, and a grammar takes most of their time; the bytes of a tree never change. */
const roots = new WeakMap<Parse, WeakMap<Uint8Array, Map<string, SyntaxNode>>>();

function known(parse: Parse, bytes: Uint8Array): Map<string, SyntaxNode> {
  const byBytes = roots.get(parse) ?? new WeakMap<Uint8Array, Map<string, SyntaxNode>>();
  roots.set(parse, byBytes);
  const byLanguage = byBytes.get(bytes) ?? new Map<string, SyntaxNode>();
  byBytes.set(bytes, byLanguage);
  return byLanguage;
}

/** The root of a parsed file. Throws where there is no grammar or the file is too large, which ends as `scan.error`. */
export function rootOf(language: string, bytes: Uint8Array, parse: Parse): SyntaxNode {
  if (bytes.length > MAX_BYTES)
    throw new Error(`the file has ${bytes.length} bytes, at most ${MAX_BYTES} are parsed`);
  const read = known(parse, bytes);
  const root = read.get(language) ?? parse(language, bytes);
  if (root === null) throw new Error(`there is no grammar for ${language}`);
  read.set(language, root);
  return root;
}

const nothing = new Uint8Array();

/** Whether files of a language can be parsed here; told by the first answer. */
export function hasGrammar(language: string, parse: Parse): boolean {
  const read = known(parse, nothing);
  const root = read.get(language) ?? parse(language, nothing);
  if (root !== null) read.set(language, root);
  return root !== null;
}

/** Every node in order; by a stack of its own, since a file can nest deeper than calls. */
export function* walk(root: SyntaxNode): Generator<Placed> {
  const open: Placed[] = [{ node: root, parent: null, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { node, depth } = next;
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at];
      if (child) open.push({ node: child, parent: next, depth: depth + 1 });
    }
  }
}

type Range = { readonly start: number; readonly end: number };

export const isInside = (node: Range, range: Range) =>
  node.start >= range.start && node.end <= range.end;

/** Begins inside and ends outside, or the reverse. */
export const isCrossing = (node: Range, range: Range) =>
  (node.start < range.start && range.start < node.end && node.end < range.end) ||
  (node.start > range.start && node.start < range.end && range.end < node.end) ||
  (node.start === range.start &&
    range.end < node.end &&
    range.start < range.end &&
    node.start !== node.end);

/** Direct parts of a region: the outermost nodes that lie wholly inside it, zero-width ones left out. */
export function partsOf(root: SyntaxNode, region: Range): SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const child of node.children.toReversed()) {
      if (child.end <= region.start || child.start >= region.end) continue;
      if (isInside(child, region)) parts.push(child);
      else open.push(child);
    }
  }
  return parts.toSorted((left, right) => left.start - right.start);
}

const utf8 = new TextDecoder();

export const textOf = ({ start, end }: Range, bytes: Uint8Array): string =>
  utf8.decode(bytes.subarray(start, end));

export type Side = 'base' | 'candidate';

/** A place in protected text, told from the end of the region before it; null inside a region. Equal in base and candidate. */
export function placeOf(
  offset: number,
  regions: readonly FrameRegion[],
  side: Side,
): string | null {
  let [name, origin] = ['', 0];
  for (const region of regions) {
    const { start, end } = region[side];
    if (offset < start) break;
    if (offset < end) return null;
    [name, origin] = [region.id, end];
  }
  return `${name}+${offset - origin}`;
}
