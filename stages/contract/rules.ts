import type { Lexed, Token } from './lexer.ts';
import type { Pack } from './packs/pack.ts';

/** What one place of a row takes: any token, a protected name, a whole parenthesis, or one of some words. */
type Place = 'any' | 'name' | 'group' | ReadonlySet<string>;

type Rule = {
  readonly text: string;
  readonly not: ReadonlySet<string>;
  readonly row: readonly Place[];
};

/** One place where a rule is met: its tokens from `at` to the start of the last one, in UTF-16 units. */
export type Hit = { readonly at: number; readonly last: number; readonly words: readonly string[] };

export type RuleHits = { readonly rule: string; readonly hits: readonly Hit[] };

const special: Readonly<Record<string, Place>> = { '*': 'any', '~name': 'name', '~group': 'group' };

const none: ReadonlySet<string> = new Set();

function ruleOf(text: string): Rule {
  const [first = '', ...rest] = text.split(' ');
  const isNot = first.startsWith('!') && first.length > 1;
  const words = isNot ? rest : [first, ...rest];
  return {
    text,
    not: isNot ? new Set(first.slice(1).split('|')) : none,
    row: words.map((word) => special[word] ?? new Set(word.split('|'))),
  };
}

const literalRule = (row: readonly string[]): Rule => ({
  text: row.join(' '),
  not: none,
  row: row.map((word) => new Set([word])),
});

const compiled = new WeakMap<Pack, readonly Rule[]>();

function rulesOf(pack: Pack): readonly Rule[] {
  const { tokens, literal = [] } = pack;
  const known = compiled.get(pack) ?? [...tokens.map(ruleOf), ...literal.map(literalRule)];
  compiled.set(pack, known);
  return known;
}

/** For each opening parenthesis the place of the one that closes it. */
function closersOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { text }] of tokens.entries()) {
    if (text === '(') open.push(at);
    const from = text === ')' ? open.pop() : undefined;
    if (from !== undefined) closers.set(from, at);
  }
  return closers;
}

/** Where each text stands, in order: a rule looks at its first word's places alone, and packs have many rules. */
function placesOf(tokens: readonly Token[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, { text }] of tokens.entries()) {
    const known = places.get(text);
    if (known === undefined) places.set(text, [at]);
    else known.push(at);
  }
  return places;
}

type Reader = {
  readonly tokens: readonly Token[];
  readonly names: ReadonlySet<string>;
  readonly closers: ReadonlyMap<number, number>;
  readonly places: ReadonlyMap<string, readonly number[]>;
};

/** Where the next place of a row begins when this one is met at `at`, else null. */
function past(place: Place, { tokens, names, closers }: Reader, at: number): number | null {
  const text = tokens[at]?.text;
  if (text === undefined) return null;
  if (place === 'group') {
    const close = text === '(' ? closers.get(at) : undefined;
    return close === undefined ? null : close + 1;
  }
  const isMet = place === 'any' || (place === 'name' ? names.has(text) : place.has(text));
  return isMet ? at + 1 : null;
}

function hitAt(rule: Rule, reader: Reader, from: number): Hit | null {
  const { tokens } = reader;
  if (rule.not.size > 0 && rule.not.has(tokens[from - 1]?.text ?? '')) return null;
  let end = from;
  for (const place of rule.row) {
    const next = past(place, reader, end);
    if (next === null) return null;
    end = next;
  }
  const row = tokens.slice(from, Math.min(end, from + rule.row.length));
  return {
    at: tokens[from]?.at ?? 0,
    last: tokens[end - 1]?.at ?? 0,
    words: row.map(({ text }) => text),
  };
}

/** Where a row may begin, in order. */
function startsOf(place: Place | undefined, { tokens, names, places }: Reader): readonly number[] {
  if (place === undefined) return [];
  if (place === 'any') return [...tokens.keys()];
  const words = place === 'name' ? names : place === 'group' ? ['('] : place;
  const starts = [...words].flatMap((word) => places.get(word) ?? []);
  return starts.toSorted((left, right) => left - right);
}

function ruleHits(rule: Rule, reader: Reader): RuleHits {
  const starts = startsOf(rule.row[0], reader);
  const hits = starts.flatMap((at) => hitAt(rule, reader, at) ?? []);
  return { rule: rule.text, hits };
}

function patternHits(patterns: readonly RegExp[], tokens: readonly Token[]): RuleHits[] {
  return patterns.map((pattern) => ({
    rule: pattern.source,
    hits: tokens
      .filter(({ text }) => pattern.test(text))
      .map(({ at, text }) => ({ at, last: at, words: [text] })),
  }));
}

/** Where each rule of a pack is met in a file. `names` are those that protected text declares. */
export function hitsOf(pack: Pack, lexed: Lexed, names: ReadonlySet<string>): RuleHits[] {
  const { tokens } = lexed;
  const { strings = [] } = pack;
  const reader = { tokens, names, closers: closersOf(tokens), places: placesOf(tokens) };
  const quoted = strings.length === 0 ? [] : tokens.filter(({ text }) => text.startsWith('"'));
  return [
    ...rulesOf(pack).map((rule) => ruleHits(rule, reader)),
    ...patternHits(pack.comments, lexed.comments),
    ...patternHits(strings, quoted),
  ];
}

/** Hits of several readings of one text, rule by rule; what two of them see at one place is one hit. */
export function merged(readings: readonly (readonly RuleHits[])[]): RuleHits[] {
  const [first = [], ...others] = readings;
  if (others.length === 0) return [...first];
  return first.map(({ rule, hits }, index) => {
    const places = new Set<string>();
    const all = [hits, ...others.map((reading) => reading[index]?.hits ?? [])].flatMap(
      (found, which) =>
        found.filter(({ at, last }) => {
          const key = `${at} ${last}`;
          // One reading may meet a rule twice at one place: in a text that is run, all tokens stand where it begins.
          const isNew = which === 0 || !places.has(key);
          places.add(key);
          return isNew;
        }),
    );
    return { rule, hits: all.toSorted((left, right) => left.at - right.at) };
  });
}
