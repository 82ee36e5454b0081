import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { type Placed, walk } from '../frames/syntax.ts';
import { signsOf } from '../lex-javascript.ts';
import { cooked, type Lexed, type Token, unescaped } from '../lexer.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-16 units before a byte, for places that are asked for in rising order. */
function unitCounter(bytes: Uint8Array, text: string): (at: number) => number {
  if (text.length === bytes.length) return (at) => at;
  let [known, units] = [0, 0];
  return (at) => {
    if (at < known) [known, units] = [0, 0];
    units += decoder.decode(bytes.subarray(known, at)).length;
    known = at;
    return units;
  };
}

const comments = new Set(['comment', 'html_comment', 'hash_bang_line']);
const silent = new Set(['jsx_text', 'html_character_reference', '`']);
/** Nodes that are one token, whatever they are made of. */
const whole = new Set(['string', 'regex', 'number', 'template_string', ...comments, ...silent]);
const inTemplate = new Set(['string_fragment', 'escape_sequence']);

const hasSubstitution = ({ children }: SyntaxNode) =>
  children.some(({ type }) => type === 'template_substitution');

/** What a whole node reads as: strings by what they hold, patterns and numbers as places. */
const wholeText: Readonly<Record<string, (text: string) => string>> = {
  string: (text) => `"${cooked(text.slice(1, -1))}"`,
  template_string: (text) => `"${cooked(text.slice(1, -1))}"`,
  regex: () => '""',
  number: () => '0',
};

/** Whether a tag before a template may run its text. */
const isTagged = (placed: Placed | null | undefined) => placed?.node.type === 'call_expression';

function wholeToken({ node, parent }: Placed, text: string, at: number): Token[] {
  const read = wholeText[node.type];
  if (read === undefined) return [];
  const isCode = node.type === 'template_string' && isTagged(parent);
  return [{ text: read(text), at, ...(isCode ? { isCode } : {}) }];
}

const brackets = new Map([
  ['${', '('],
  ['}', ')'],
]);

function leafTokens(placed: Placed, text: string, at: number): Token[] {
  const { node, parent } = placed;
  if (inTemplate.has(node.type))
    return isTagged(parent?.parent) ? [{ text: `"${cooked(text)}"`, at, isCode: true }] : [];
  if (whole.has(node.type)) return wholeToken(placed, text, at);
  const bracket = parent?.node.type === 'template_substitution' ? brackets.get(text) : undefined;
  if (bracket !== undefined) return [{ text: bracket, at }];
  if (/^[\p{L}\p{N}_$#@\\"'`]/u.test(text)) return [{ text: unescaped(text), at }];
  return signsOf(text).map((sign) => ({ text: sign, at }));
}

/**
 * TypeScript or JavaScript as its grammar reads it: where a slash divides, and what is text between tags, it alone can tell.
 * Without spans: frames have trees of their own.
 */
export function lexLeaves(root: SyntaxNode, bytes: Uint8Array): Lexed {
  const lexed = { tokens: [] as Token[], comments: [] as Token[], spans: [] };
  const all = decoder.decode(bytes);
  const unitAt = unitCounter(bytes, all);
  let end = -1;
  for (const placed of walk(root)) {
    const { node } = placed;
    const isWhole =
      whole.has(node.type) && !(node.type === 'template_string' && hasSubstitution(node));
    if (node.start < end || node.end === node.start || (node.children.length > 0 && !isWhole))
      continue;
    end = node.end;
    const at = unitAt(node.start);
    const text = all.slice(at, unitAt(node.end));
    if (comments.has(node.type)) lexed.comments.push({ text, at });
    else lexed.tokens.push(...leafTokens(placed, text, at));
  }
  return lexed;
}
