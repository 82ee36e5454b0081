import type { Token } from '../lexer.ts';
import type { PackLanguage } from '../packs/pack.ts';
import { isString, isWord, type Names, pathAt } from './dotted-names.ts';
import { pythonNames } from './python-names.ts';
import { goNames, scriptNames } from './script-names.ts';

const namesIn: Partial<Record<PackLanguage, (tokens: readonly Token[]) => Names>> = {
  python: pythonNames,
  javascript: scriptNames,
  go: goNames,
};

/** What stands for a row of tokens, and how many tokens it takes the place of. */
type Member = { readonly row: readonly string[]; readonly length: number };

/** The word in a string. */
function wordIn(quoted: string | undefined): string | undefined {
  const name = isString(quoted) ? quoted.slice(1, -1) : undefined;
  return isWord(name) ? name : undefined;
}

/** `x["y"]` as `x . y`. */
function indexed(tokens: readonly Token[], at: number): Member | null {
  if (tokens[at]?.text !== '[' || tokens[at + 2]?.text !== ']') return null;
  const name = wordIn(tokens[at + 1]?.text);
  const owner = tokens[at - 1]?.text;
  const isOwned = isWord(owner) || owner === ')' || owner === ']';
  return name === undefined || !isOwned ? null : { row: ['.', name], length: 3 };
}

/** `(x, "y"` after a getter or a setter as `x . y`. */
function reached(
  tokens: readonly Token[],
  at: number,
  open: number,
  isSet: boolean,
): Member | null {
  const { path, end } = pathAt(tokens, open + 1);
  if (tokens[open]?.text !== '(' || tokens[end]?.text !== ',' || path.length === 0) return null;
  const name = wordIn(tokens[end + 1]?.text);
  if (name === undefined) return null;
  return { row: [...path, '.', name, ...(isSet ? ['='] : [])], length: end + 2 - at };
}

const getters = new Set(['getattr', 'setattr', 'delattr']);

/** A member that a constant names, as a script or Python writes it. */
function memberAt(tokens: readonly Token[], at: number, language: PackLanguage): Member | null {
  const text = tokens[at]?.text ?? '';
  if (language === 'python' && getters.has(text))
    return reached(tokens, at, at + 1, text === 'setattr');
  if (language !== 'javascript') return null;
  if (text === 'Reflect' && tokens[at + 1]?.text === '.')
    return reached(tokens, at, at + 3, tokens[at + 2]?.text === 'set');
  return indexed(tokens, at);
}

const isOwnName = (tokens: readonly Token[], at: number) => {
  const before = tokens[at - 1]?.text;
  return before === '.' || before === 'def' || before === 'class' || tokens[at + 1]?.text === '=';
};

/**
 * Tokens with other names for a thing replaced by its own: imports under another name, constants that name a member. Null where
 * a text has none. Both readings are scanned, so a rule may name either.
 */
export function renamed(tokens: readonly Token[], language: PackLanguage): readonly Token[] | null {
  const names: Names = namesIn[language]?.(tokens) ?? new Map();
  const all: Token[] = [];
  let isChanged = false;
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    const member = memberAt(tokens, at, language);
    const meant = member?.row ?? (isOwnName(tokens, at) ? undefined : names.get(token?.text ?? ''));
    if (token) all.push(...(meant?.map((text) => ({ text, at: token.at })) ?? [token]));
    isChanged ||= meant !== undefined;
    at += member?.length ?? 1;
  }
  return isChanged ? all : null;
}
