import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameHit, FrameInput, FrameRegion, FrameToken } from '../profiles/profile.ts';
import { isInside, partsOf, textOf, walk } from './syntax.ts';

const words = (text: string) => new Set(text.split(/\s+/u));

const modifiers = words(
  'static get set async accessor private public protected readonly abstract override declare',
);

/** Words that no statement ends with: each waits for what comes next. */
const waiting =
  words(`await case catch class const default delete do else enum export extends finally for function if
  import in instanceof let new switch throw try typeof var void while with`);

const closers = words(') ] }');

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.syntactic', at, detail });

/** A member that is nothing but its name, marks before it aside: `get`, `static get`, `@d get`. */
function bareName(part: SyntaxNode): SyntaxNode {
  const last = part.children.at(-1);
  return last !== undefined && /^(?:name|property)$/u.test(last.field ?? '') ? last : part;
}

/**
 * A decorator or a bare modifier that ends a region hangs on the protected member after it, though the tree shows a neighbour:
 * a grammar may read `static` before a line end as a field, and the language does not.
 */
function lastPart(
  root: SyntaxNode,
  { id, candidate }: FrameRegion,
  bytes: Uint8Array,
): FrameHit | null {
  const last = partsOf(root, candidate).findLast(({ type }) => type !== 'comment');
  if (last === undefined) return null;
  const isModifier =
    modifiers.has(textOf(bareName(last), bytes)) && last.type !== 'expression_statement';
  const what = last.type === 'decorator' ? 'a decorator' : isModifier ? 'a modifier' : null;
  return what === null ? null : hit(last.start, `${what} at the end of region ${id}`);
}

/** What a token does to the depth of braces; a part of a template may close one and open one. */
function stepsOf({ kind, text }: FrameToken): {
  readonly closes: boolean;
  readonly opens: boolean;
} {
  if (kind === 'template') return { closes: text.startsWith('}'), opens: text.endsWith('${') };
  return { closes: kind === 'token' && text === '}', opens: kind === 'token' && text === '{' };
}

/** Braces of a body against each other. */
function braceHit(tokens: readonly FrameToken[], { id }: FrameRegion): FrameHit | null {
  let depth = 0;
  for (const token of tokens) {
    const { closes, opens } = stepsOf(token);
    if (closes) depth -= 1;
    if (depth < 0) return hit(token.start, `a brace in region ${id} that closes protected text`);
    if (opens) depth += 1;
  }
  const last = tokens.at(-1);
  return depth === 0 || !last ? null : hit(last.start, `a brace in region ${id} is left open`);
}

const isBroken = (root: SyntaxNode, region: FrameRegion['candidate']) => {
  for (const { node } of walk(root))
    if (
      node.start < region.end &&
      node.end > region.start &&
      (node.type === 'ERROR' || (node.start === node.end && node.children.length === 0))
    )
      return true;
  return false;
};

/**
 * The last token of a body where something follows that it could take for its own. A grammar that recovers from an error may read
 * `new` as a name; so a word that waits for more is no end, and a body that cannot be read whole must end a statement. Outside
 * their functions `await` and `yield` are names, and what looks like a pattern after them divides by what follows.
 */
function endHit(
  root: SyntaxNode,
  body: readonly FrameToken[],
  next: FrameToken | undefined,
  region: FrameRegion,
): FrameHit | null {
  const [last, beforeLast] = [body.at(-1), body.at(-2)];
  if (last === undefined || next === undefined || closers.has(next.text)) return null;
  const isMember = beforeLast?.text === '.' || beforeLast?.text === '?.';
  const isDivided = last.text === '/' || (last.kind === 'regex' && beforeLast?.text === 'yield');
  if (isDivided || (waiting.has(last.text) && !isMember))
    return hit(last.start, `"${last.text}" at the end of region ${region.id} waits for more`);
  if (last.text === ';' || last.text === '}' || !isBroken(root, region.candidate)) return null;
  return hit(last.start, `region ${region.id} breaks off before protected text`);
}

/** Text between tags is no code, and its quotes and braces are only themselves; there the tree alone knows. */
const hasTags = (root: SyntaxNode, region: FrameRegion['candidate']) =>
  !isBroken(root, region) &&
  [...walk(root)].some(
    ({ node }) => isInside(node, region) && /^jsx_(?:text|element)$/u.test(node.type),
  );

/** What the end of a body takes for its own, by tokens and not by the tree alone. */
export function endingHits(
  root: SyntaxNode,
  { regions, candidate: bytes }: FrameInput,
  all: readonly FrameToken[],
): FrameHit[] {
  const tokens = all.filter(({ kind }) => kind !== 'comment');
  return regions.flatMap((region) => {
    const body = tokens.filter((token) => isInside(token, region.candidate));
    const next = tokens.find(({ start }) => start >= region.candidate.end);
    const hits = [
      lastPart(root, region, bytes),
      hasTags(root, region.candidate) ? null : braceHit(body, region),
      endHit(root, body, next, region),
    ];
    return hits.filter((one) => one !== null);
  });
}
