/** A piece of a text, as characters [start, end). */
export type Span = { readonly start: number; readonly end: number };

/** Blank out but for line breaks, so that every offset stays what it was. */
const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

const QUOTED_LINE = /^[ \t]{0,3}>[^\r\n]*/gm;
const HTML_COMMENT = /<!--[\s\S]*?(?:-->|(?![\s\S]))/g;
const CODE_SPAN = /(?<!`)(`+)(?!`)(?:(?!\n[ \t\r]*\n)[\s\S])*?(?<!`)\1(?!`)/g;
const TRAILER = /^(?:[A-Z][\w-]+-by|Change-Id|git-svn-id|Cc|Link): [^\r\n]*$/gm;

/** Prose of a Markdown text: code blocks, quoted lines, HTML comments and commit trailers are blanked, offsets stay. */
export function proseOf(text: string): string {
  let prose = text;
  for (const { start, end } of codeBlocks(text)) {
    prose = prose.slice(0, start) + blank(prose.slice(start, end)) + prose.slice(end);
  }
  return [HTML_COMMENT, QUOTED_LINE, TRAILER].reduce(
    (masked, pattern) => masked.replace(pattern, blank),
    prose,
  );
}

/** The same without code spans: what is left was said, not shown. */
export const spokenOf = (text: string): string => proseOf(text).replace(CODE_SPAN, blank);

/** Code spans of the prose, without their backticks. */
export const codeSpans = (text: string): readonly Span[] =>
  [...proseOf(text).matchAll(CODE_SPAN)].map((match) => {
    const ticks = match[1]?.length ?? 1;
    return { start: match.index + ticks, end: match.index + match[0].length - ticks };
  });

/** Lines of a text without their ends, each with its place. */
export function linesOf(text: string): readonly (Span & { readonly line: string })[] {
  let start = 0;
  return text.split('\n').map((raw) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const found = { line, start, end: start + line.length };
    start += raw.length + 1;
    return found;
  });
}

/** Fenced code blocks, fences included in the span and left out of `code`; one that never closes runs to the end. */
export function codeBlocks(text: string): readonly (Span & { readonly code: string })[] {
  const blocks: (Span & { readonly code: string })[] = [];
  let open: { readonly fence: string; readonly start: number; readonly code: string[] } | null =
    null;
  for (const { line, start, end } of linesOf(text)) {
    const fence = /^[ \t]{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === null) {
      if (fence !== undefined) open = { fence, start, code: [] };
    } else if (fence?.startsWith(open.fence) && line.trim() === fence) {
      blocks.push({ start: open.start, end, code: open.code.join('\n') });
      open = null;
    } else open.code.push(line);
  }
  if (open !== null)
    blocks.push({ start: open.start, end: text.length, code: open.code.join('\n') });
  return blocks;
}
