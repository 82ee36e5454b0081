import type { Lexed, Token } from '../lexer.ts';
import type { PackLanguage } from '../packs/pack.ts';

const MAX_DEPTH = 3;

const isString = (token: Token | undefined) => token?.text.startsWith('"') === true;
const inner = ({ text }: Token) => text.slice(1, text.endsWith('"') ? -1 : undefined);

/** Languages where strings that stand side by side are one. */
const joinsNeighbours = new Set<PackLanguage>(['python', 'c']);

/**
 * Tokens with constant concatenations as one string: `'fs' + '/promises'` names a module as much as one string does. A run is
 * joined at once, since growing a string by parts costs its square.
 */
function folded(tokens: readonly Token[], language: PackLanguage): readonly Token[] {
  const step = (at: number) => {
    if (joinsNeighbours.has(language) && isString(tokens[at + 1])) return 1;
    return tokens[at + 1]?.text === '+' && isString(tokens[at + 2]) ? 2 : 0;
  };
  const all: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const parts = tokens.slice(at, at + 1);
    while (isString(parts[0]) && step(at) > 0) {
      at += step(at);
      parts.push(...tokens.slice(at, at + 1));
    }
    all.push(...joined(parts));
  }
  return all;
}

function joined(parts: readonly Token[]): readonly Token[] {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return parts;
  const text = `"${parts.map(inner).join('')}"`;
  return [{ text, at: first.at, ...(parts.some(({ isCode }) => isCode) ? { isCode: true } : {}) }];
}

type Evaluator = {
  readonly functions: ReadonlySet<string>;
  /** Objects on which these functions are the language's own and no method of somebody else. */
  readonly homes: ReadonlySet<string>;
};

const words = (text: string) => new Set(text.split(' '));

const evaluators: Partial<Record<PackLanguage, Evaluator>> = {
  javascript: {
    functions: words(
      'eval Function runInThisContext runInNewContext runInContext compileFunction Script',
    ),
    homes: words('globalThis global window self vm'),
  },
  python: { functions: words('eval exec compile'), homes: words('builtins __builtins__') },
};

function isEvaluator(tokens: readonly Token[], at: number, { functions, homes }: Evaluator) {
  if (!functions.has(tokens[at]?.text ?? '')) return false;
  return tokens[at - 1]?.text !== '.' || homes.has(tokens[at - 2]?.text ?? '');
}

/** Strings that are handed to an evaluator, and those that a template's tag may run. */
function codeStrings(tokens: readonly Token[], evaluator: Evaluator | undefined): Token[] {
  const open: boolean[] = [];
  return tokens.filter((token, at) => {
    if (token.text === '(')
      open.push(
        open.at(-1) === true || (evaluator !== undefined && isEvaluator(tokens, at - 1, evaluator)),
      );
    if (token.text === ')') open.pop();
    return isString(token) && (token.isCode === true || open.at(-1) === true);
  });
}

/** Tokens with those of texts that something runs: such a string is code. Its tokens stand where the string begins. */
export function withEvaluated(
  lexed: Lexed,
  language: PackLanguage,
  scan: (text: string) => Lexed,
  depth = 0,
): Lexed {
  const tokens = folded(lexed.tokens, language);
  if (depth > MAX_DEPTH) return { ...lexed, tokens };
  const extra = codeStrings(tokens, evaluators[language]).flatMap((quoted): Token[] => {
    const read = withEvaluated(scan(inner(quoted)), language, scan, depth + 1);
    return [
      { text: '', at: quoted.at },
      ...read.tokens.map(({ text }) => ({ text, at: quoted.at })),
    ];
  });
  return { ...lexed, tokens: extra.length === 0 ? tokens : [...tokens, ...extra] };
}
