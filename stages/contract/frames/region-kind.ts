import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { partsOf } from './syntax.ts';

/** Direct parts of the regions that their kind does not allow. */
export function partHits(
  root: SyntaxNode,
  { regions }: FrameInput,
  isAllowed: (node: SyntaxNode) => boolean,
): FrameHit[] {
  return regions.flatMap(({ id, kind, candidate }) =>
    partsOf(root, candidate).flatMap((node): FrameHit[] => {
      if (isAllowed(node)) return [];
      const detail = `a ${node.type} in region ${id}, which holds ${kind}`;
      return [{ code: 'frame.region-kind', at: node.start, detail }];
    }),
  );
}
