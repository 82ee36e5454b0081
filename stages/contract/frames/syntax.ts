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

/** The root of a parsed file. Throws where there is no grammar or the file is too large, which ends as `scan.error`. */
export function rootOf(
  language: string,
  bytes: Uint8Array,
  parse: FrameInput['parse'],
): SyntaxNode {
  if (bytes.length > MAX_BYTES)
    throw new Error(`the file has ${bytes.length} bytes, at most ${MAX_BYTES} are parsed`);
  const root = parse(language, bytes);
  if (root === null) throw new Error(`there is no grammar for ${language}`);
  return root;
}

/** Every node in order; by a stack of its own, since a file can nest deeper than calls. */
export function* walk(root: SyntaxNode): Generator<Placed> {
  const open: Placed[] = [{ node: root, parent: null, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { node, depth } = next;
    for (const child of node.children.toReversed())
      open.push({ node: child, parent: next, depth: depth + 1 });
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

/** The innermost node of the named types that holds a whole region, the root when none does. */
export function holderOf(root: SyntaxNode, region: Range, types: ReadonlySet<string>): SyntaxNode {
  let holder = root;
  let node: SyntaxNode | undefined = root;
  while (node !== undefined) {
    node = node.children.find((child) => child.start < region.start && child.end > region.end);
    if (node && types.has(node.type)) holder = node;
  }
  return holder;
}

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

export const textOf = ({ start, end }: Range, bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes.subarray(start, end));

/** Whether a node lies in protected text, all of it. */
export const isProtected = (
  node: Range,
  regions: readonly FrameRegion[],
  side: 'base' | 'candidate',
) => regions.every((region) => node.end <= region[side].start || node.start >= region[side].end);
