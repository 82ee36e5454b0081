import type { Token } from '../lexer.ts';
import { isString, isWord, type Names } from './dotted-names.ts';

/** Objects that rules name; another name for one of them is that object. */
const roots = new Set(
  `process Deno Bun globalThis Object Reflect Array String Number Promise Function Module Math JSON Symbol Map Set Date
  performance fetch eval`.split(/\s+/u),
);
const globals = new Set(['globalThis', 'global', 'window', 'self']);

/** The name that gets a value: `p = …` or `p: T = …`. */
function assignedName(tokens: readonly Token[], equals: number): string | undefined {
  let at = equals - 1;
  while (equals - at < 8 && (isWord(tokens[at]?.text) || tokens[at]?.text === '.')) at -= 1;
  const name = tokens[at]?.text === ':' ? tokens[at - 1]?.text : tokens[equals - 1]?.text;
  return isWord(name) ? name : undefined;
}

const ends = new Set([';', ',', ')', '}', 'as', '!']);

/** The object that a value from a place on is, `globalThis.process` too; undefined where more is done with it. */
function objectAt(tokens: readonly Token[], from: number, names: Names) {
  const isMember = globals.has(tokens[from]?.text ?? '') && tokens[from + 1]?.text === '.';
  const place = isMember ? from + 2 : from;
  const value = tokens[place]?.text ?? '';
  const next = tokens[place + 1]?.text;
  const isWhole = next === undefined || ends.has(next) || isWord(next);
  return isWhole ? (names.get(value) ?? (roots.has(value) ? [value] : undefined)) : undefined;
}

/** Other names that a script gives to the objects that rules name. */
export function scriptNames(tokens: readonly Token[]): Names {
  const names: Names = new Map();
  for (const [at, { text }] of tokens.entries()) {
    const meant = text === '=' ? objectAt(tokens, at + 1, names) : undefined;
    const name = meant && assignedName(tokens, at);
    if (meant && name !== undefined && name !== meant[0]) names.set(name, meant);
  }
  return names;
}

/** `import o "os"`, alone or in a group. */
export function goNames(tokens: readonly Token[]): Names {
  const names: Names = new Map();
  let isGroup = false;
  for (const [at, { text }] of tokens.entries()) {
    if (text === 'import') isGroup = tokens[at + 1]?.text === '(';
    if (text === ')') isGroup = false;
    const isImport = text !== 'import' && (isGroup || tokens[at - 1]?.text === 'import');
    const last = isImport && isWord(text) ? lastOf(tokens[at + 1]?.text) : undefined;
    if (last !== undefined) names.set(text, [last]);
  }
  return names;
}

/** The package's usual name: the last part of its path. */
function lastOf(path: string | undefined): string | undefined {
  const last = isString(path) ? path.slice(1, -1).split('/').at(-1) : undefined;
  return isWord(last) ? last : undefined;
}
