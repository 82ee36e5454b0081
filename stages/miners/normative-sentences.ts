import type { Doc } from './docs.ts';
import type { Span } from './mask.ts';
import { asks, isSkipped } from './normative.ts';
import { blocksOf, sentencesIn } from './sentences.ts';

/** Sentences that ask for a behaviour or state one: must, should, expected, instead of, throws, returns and their like. */
export function sentencesAskingIn({ doc, text }: Doc): readonly Span[] {
  if (doc.startsWith('blob:')) return [];
  return blocksOf(text)
    .filter(({ heading }) => !isSkipped(heading))
    .flatMap((block) =>
      sentencesIn(text, block).filter(({ start, end }) =>
        asks(text.slice(start, end), block.heading),
      ),
    );
}
