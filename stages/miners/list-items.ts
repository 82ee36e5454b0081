import type { Doc } from './docs.ts';
import type { Span } from './mask.ts';
import { asks, isSkipped, isSpeech } from './normative.ts';
import { blocksOf } from './sentences.ts';

/** List items of an issue or pull request; of a commit only those that ask or state, since the others tell of the work. */
export function itemsIn({ doc, text }: Doc): readonly Span[] {
  if (doc.startsWith('blob:')) return [];
  const wanted = (item: string, heading: string) =>
    doc.startsWith('commit:') ? asks(item, heading) : isSpeech(item);
  return blocksOf(text).filter(
    ({ kind, heading, start, end }) =>
      kind === 'item' && !isSkipped(heading) && wanted(text.slice(start, end), heading),
  );
}
