import { linesOf, proseOf, type Span, spokenOf } from './mask.ts';

/** A run of prose lines below one heading; a list item is a block of its own, without its bullet. */
export type Block = Span & { readonly kind: 'prose' | 'item'; readonly heading: string };

const BULLET = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const HEADINGS: readonly RegExp[] = [
  /^[ \t]{0,3}#{1,6}[ \t]+(.+?)[ \t#:]*$/,
  /^[ \t]{0,3}\*\*([^*]+?):?\*\*:?[ \t]*$/,
  /^([A-Z][\w' ]{2,40}):[ \t]*$/,
];
const NO_PROSE = /^[ \t]*(?:\||[-=*_~]{3,}[ \t]*$|!\[|https?:\/\/\S+$|<\/?[a-z])/i;

/** Blocks of a Markdown or commit text in order; code, quotations, tables, rules and pictures are left out. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let goesOn = false;
  for (const { line, start, end } of linesOf(proseOf(text))) {
    const title = headingIn(line);
    const bullet = BULLET.exec(line)?.[0];
    heading = title ?? heading;
    if (title !== null || line.trim() === '' || NO_PROSE.test(line)) goesOn = false;
    else if (goesOn && bullet === undefined) extendLast(blocks, end);
    else {
      blocks.push({ ...itemOrProse(bullet, start), end, heading });
      goesOn = true;
    }
  }
  return blocks.map((block) => trimmed(text, block));
}

/** The words of a heading: Markdown's own, a bold line, or a short line that ends with a colon. */
function headingIn(line: string): string | null {
  const found = HEADINGS.map((pattern) => pattern.exec(line)?.[1]).find((title) => title);
  return found?.trim() ?? null;
}

const itemOrProse = (bullet: string | undefined, start: number) =>
  bullet === undefined
    ? ({ kind: 'prose', start } as const)
    : ({ kind: 'item', start: start + bullet.length } as const);

function extendLast(blocks: Block[], end: number): void {
  const last = blocks.pop();
  if (last !== undefined) blocks.push({ ...last, end });
}

/** The span without white space at its ends. */
export function trimmed<T extends Span>(text: string, span: T): T {
  const inner = text.slice(span.start, span.end);
  const lead = inner.length - inner.trimStart().length;
  const tail = inner.length - inner.trimEnd().length;
  return { ...span, start: span.start + Math.min(lead, inner.length - tail), end: span.end - tail };
}

/** An end of sentence: a stop, perhaps closed, then space and a new beginning. Not after "e.g." and its like. */
const STOP =
  /(?<!\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|incl|no|Mr|Dr))[.!?]["')*_]*(?=\s+["'(*_`]*[\p{Lu}\d`])/gu;

/** Sentences of a block; a stop within a code span ends nothing. */
export function sentencesIn(text: string, block: Span): readonly Span[] {
  const spoken = spokenOf(text).slice(block.start, block.end);
  const original = text.slice(block.start, block.end);
  const sentences: Span[] = [];
  let from = 0;
  for (const { index, 0: stop } of original.matchAll(STOP)) {
    if (spoken[index] !== original[index]) continue;
    sentences.push({ start: block.start + from, end: block.start + index + stop.length });
    from = index + stop.length;
  }
  sentences.push({ start: block.start + from, end: block.end });
  return sentences.map((span) => trimmed(text, span)).filter(({ start, end }) => end > start);
}
