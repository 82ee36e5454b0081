import type { Lexed, Token } from './lexer.ts';
import type { Pack } from './packs/pack.ts';

type Rule = {
  readonly text: string;
  readonly not: readonly string[];
  readonly row: readonly (readonly string[])[];
};

/** One place where a rule is met: its tokens from `at` to the start of the last one, in UTF-16 units. */
export type Hit = { readonly at: number; readonly last: number; readonly words: readonly string[] };

export type RuleHits = { readonly rule: string; readonly hits: readonly Hit[] };

function ruleOf(text: string): Rule {
  const words = text.split(' ');
  const not =
    words[0]?.startsWith('!') && words[0].length > 1 ? words.shift()?.slice(1).split('|') : [];
  return { text, not: not ?? [], row: words.map((word) => word.split('|')) };
}

const compiled = new WeakMap<Pack, readonly Rule[]>();

function rulesOf(pack: Pack): readonly Rule[] {
  const known = compiled.get(pack) ?? pack.tokens.map(ruleOf);
  compiled.set(pack, known);
  return known;
}

const PROTECTED = '~name';

function fitsWord(
  choice: readonly string[],
  text: string | undefined,
  names: ReadonlySet<string>,
): boolean {
  if (text === undefined) return false;
  if (choice[0] === '*') return true;
  return choice[0] === PROTECTED ? names.has(text) : choice.includes(text);
}

function fits(
  rule: Rule,
  tokens: readonly Token[],
  at: number,
  names: ReadonlySet<string>,
): boolean {
  if (!fitsWord(rule.row[0] ?? [], tokens[at]?.text, names)) return false;
  if (rule.not.includes(tokens[at - 1]?.text ?? '')) return false;
  return rule.row.every((choice, offset) => fitsWord(choice, tokens[at + offset]?.text, names));
}

function ruleHits(rule: Rule, { tokens }: Lexed, names: ReadonlySet<string>): RuleHits {
  const hits: Hit[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!fits(rule, tokens, at, names)) continue;
    const row = tokens.slice(at, at + rule.row.length);
    hits.push({
      at: row[0]?.at ?? 0,
      last: row.at(-1)?.at ?? 0,
      words: row.map(({ text }) => text),
    });
  }
  return { rule: rule.text, hits };
}

/** Where each rule of a pack is met in a file. `names` are those that protected text declares. */
export function hitsOf(pack: Pack, lexed: Lexed, names: ReadonlySet<string>): RuleHits[] {
  const rules = rulesOf(pack).map((rule) => ruleHits(rule, lexed, names));
  const comments = pack.comments.map((pattern) => {
    const met = lexed.comments.filter(({ text }) => pattern.test(text));
    return {
      rule: pattern.source,
      hits: met.map(({ at, text }) => ({ at, last: at, words: [text] })),
    };
  });
  return [...rules, ...comments];
}

const evaluators = new Set(['eval', 'Function', 'exec', 'compile']);

/** Tokens with those of texts that are handed to an evaluator: such a string is code. */
export function withEvaluated(lexed: Lexed, scan: (text: string) => Lexed): Lexed {
  const extra = lexed.tokens.flatMap(({ text }, at): Token[] => {
    const quoted = lexed.tokens[at + 2];
    if (
      !evaluators.has(text) ||
      lexed.tokens[at + 1]?.text !== '(' ||
      !quoted?.text.startsWith('"')
    )
      return [];
    const { tokens } = scan(quoted.text.slice(1, -1));
    return tokens.map((token) => ({ text: token.text, at: quoted.at }));
  });
  return extra.length === 0
    ? lexed
    : { ...lexed, tokens: [...lexed.tokens, { text: '', at: 0 }, ...extra] };
}

const heads = new Set(['function', 'class', 'def', 'import', 'as', '*']);

/** Names that a text declares as functions, classes or imports, by the token before them. */
export function declaredNames(
  tokens: readonly Token[],
  isProtected: (at: number) => boolean,
): Set<string> {
  const names = new Set<string>();
  let inImport = false;
  for (const [at, { text, at: place }] of tokens.entries()) {
    if (text === 'import') inImport = true;
    else if (text === 'from' || text === ';' || text.startsWith('"')) inImport = false;
    const isName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text);
    const isDeclared = heads.has(tokens[at - 1]?.text ?? '') || (inImport && text !== 'import');
    if (isName && isDeclared && isProtected(place)) names.add(text);
  }
  return names;
}
