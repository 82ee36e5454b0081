import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameHit, FrameInput, FrameRegion } from '../profiles/profile.ts';
import { isCrossing, isInside, partsOf, textOf, walk } from './syntax.ts';

type Side = 'base' | 'candidate';

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.syntactic', at, detail });

/** An offset told from the nearest protected part's own start, so that it does not depend on what a region holds. */
function place(
  offset: number,
  regions: readonly FrameRegion[],
  side: Side,
  isEnd: boolean,
): string {
  let name = '0';
  let origin = 0;
  for (const region of regions) {
    const isAfter = isEnd ? offset > region[side].end : offset >= region[side].end;
    if (!isAfter) break;
    [name, origin] = [region.id, region[side].end];
  }
  return `${name}+${offset - origin}`;
}

type Bone = { readonly text: string; readonly start: number; readonly type: string };

/** What is left of a tree without the nodes that lie wholly inside a region: kind, role, parent and place, in order. */
function skeleton(root: SyntaxNode, regions: readonly FrameRegion[], side: Side): Bone[] {
  const bones: Bone[] = [];
  for (const { node, parent, depth } of walk(root)) {
    if (regions.some((region) => isInside(node, region[side]))) continue;
    const isEmpty = node.start === node.end;
    const from = place(node.start, regions, side, false);
    const to = isEmpty ? from : place(node.end, regions, side, true);
    const text = [node.type, node.field ?? '', parent?.node.type ?? '', depth, from, to].join(' ');
    bones.push({ text, start: node.start, type: node.type });
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

const modifiers = new Set(
  'static get set async accessor private public protected readonly abstract override declare'.split(
    ' ',
  ),
);

/**
 * A decorator or a bare modifier that ends a region hangs on the protected member after it, though the tree shows a neighbour:
 * a grammar may read `static` before a line end as a field, and the language does not.
 */
function danglingHits(
  root: SyntaxNode,
  { regions, candidate: bytes }: Pick<FrameInput, 'regions' | 'candidate'>,
): FrameHit[] {
  return regions.flatMap(({ id, candidate }) => {
    const last = partsOf(root, candidate).findLast(({ type }) => type !== 'comment');
    if (last === undefined) return [];
    const isModifier = modifiers.has(textOf(last, bytes)) && last.type !== 'expression_statement';
    const what = last.type === 'decorator' ? 'a decorator' : isModifier ? 'a modifier' : null;
    return what === null ? [] : [hit(last.start, `${what} at the end of region ${id}`)];
  });
}

/**
 * The skeleton rule for brace languages: without the nodes inside the regions, both trees are the same list. It catches an early
 * brace with or without a new opener, and a last line that takes the next protected statement for its own.
 * Source: contracts.md 7, measured again on error-tolerant trees.
 */
export function skeletonHits(before: SyntaxNode, after: SyntaxNode, input: FrameInput): FrameHit[] {
  const { regions } = input;
  const broken = [...crossingHits(after, regions), ...danglingHits(after, input)];
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
