import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameHit, FrameInput, FrameRegion } from '../profiles/profile.ts';
import { isCrossing, isInside, placeOf, type Side, textOf, walk } from './syntax.ts';

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.syntactic', at, detail });

/** The place of a node's end. One that ends where a region ends and began before it holds the whole region. */
function endPlace({ start, end }: SyntaxNode, regions: readonly FrameRegion[], side: Side): string {
  let [name, origin] = ['', 0];
  for (const region of regions) {
    const own = region[side];
    const isHeld = end === own.end && start < own.start && own.start < own.end;
    if (end <= own.end && !isHeld) break;
    [name, origin] = [region.id, own.end];
  }
  return `${name}+${end - origin}`;
}

const isNote = ({ type }: SyntaxNode) => type === 'comment' || type === 'html_comment';

/** What follows a node among its siblings, others of its type and comments passed over. */
function follower(node: SyntaxNode, parent: SyntaxNode): SyntaxNode | undefined {
  const from = parent.children.indexOf(node);
  return parent.children.find(
    (one, at) => at > from && one.type !== node.type && !isNote(one) && one.end > one.start,
  );
}

/** Whether a statement is a directive: a bare string before which only others stand. */
function isDirective(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (node.type !== 'expression_statement' || node.children[0]?.type !== 'string') return false;
  if (!/^(?:program|statement_block)$/u.test(parent.type)) return false;
  const first = parent.children.find((one) => {
    const isText = one.type === 'expression_statement' && one.children[0]?.type === 'string';
    return one.named && !isNote(one) && one.type !== 'hash_bang_line' && !isText;
  });
  return first === undefined || first.start > node.start;
}

/** What a tree tells by neighbours alone: the member that a decorator is for, and that a string is a directive. */
function neighbourhood(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  regions: readonly FrameRegion[],
  side: Side,
): string {
  if (parent === undefined) return '';
  if (isDirective(node, parent)) return 'directive';
  if (node.type !== 'decorator') return '';
  const next = follower(node, parent);
  const place = next && placeOf(next.start, regions, side);
  return `for ${next === undefined ? 'none' : (place ?? 'a body')}`;
}

type Bone = { readonly text: string; readonly start: number; readonly type: string };

/** What is left of a tree without the nodes that lie wholly inside a region: kind, role, parent and place, in order. */
function skeleton(root: SyntaxNode, regions: readonly FrameRegion[], side: Side): Bone[] {
  const bones: Bone[] = [];
  for (const { node, parent, depth } of walk(root)) {
    if (regions.some((region) => isInside(node, region[side]))) continue;
    const from = placeOf(node.start, regions, side) ?? 'a body';
    const to = node.start === node.end ? from : endPlace(node, regions, side);
    const near = neighbourhood(node, parent?.node, regions, side);
    const kinds = [node.type, node.field ?? '', parent?.node.type ?? ''];
    bones.push({
      text: [...kinds, depth, from, to, near].join(' '),
      start: node.start,
      type: node.type,
    });
  }
  return bones;
}

function crossingHits(root: SyntaxNode, regions: readonly FrameRegion[]): FrameHit[] {
  for (const { node } of walk(root)) {
    const region = regions.find(({ candidate }) => isCrossing(node, candidate));
    if (region)
      return [hit(node.start, `a ${node.type} that crosses the border of region ${region.id}`)];
  }
  return [];
}

/** A directive in a body that a reader knows, such as `use strict`, rules the protected text around it. */
function directiveHits(before: SyntaxNode, after: SyntaxNode, input: FrameInput): FrameHit[] {
  const inBodies = (root: SyntaxNode, side: Side) =>
    [...walk(root)].filter(
      ({ node, parent }) =>
        parent !== null &&
        node.type === 'expression_statement' &&
        /^.use /u.test(textOf(node, input[side])) &&
        placeOf(node.start, input.regions, side) === null &&
        placeOf(parent.node.start, input.regions, side) !== null &&
        isDirective(node, parent.node),
    );
  const [fresh] = inBodies(before, 'base').length > 0 ? [] : inBodies(after, 'candidate');
  return fresh ? [hit(fresh.node.start, 'a directive that rules protected text')] : [];
}

/**
 * The skeleton rule for brace languages: without the nodes inside the regions, both trees are the same list. It catches an early
 * brace with or without a new opener, and a last line that takes the next protected statement for its own.
 * Source: contracts.md 7, measured again on error-tolerant trees.
 */
export function skeletonHits(before: SyntaxNode, after: SyntaxNode, input: FrameInput): FrameHit[] {
  const { regions } = input;
  const broken = [...crossingHits(after, regions), ...directiveHits(before, after, input)];
  if (broken.length > 0) return broken;
  const old = skeleton(before, regions, 'base');
  const now = skeleton(after, regions, 'candidate');
  const at = now.findIndex((bone, index) => bone.text !== old[index]?.text);
  if (at === -1 && now.length === old.length) return [];
  const bone = now[at] ?? now.at(-1);
  return [
    hit(bone?.start ?? 0, `protected text is another construct (${bone?.type ?? 'nothing'})`),
  ];
}
