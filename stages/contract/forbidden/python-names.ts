import type { Token } from '../lexer.ts';
import { isWord, type Names, pathAt } from './dotted-names.ts';

type Import = { readonly own: string | undefined; readonly path: string[]; readonly next: number };

/** `a.b` or `a.b as c` from a place on; null where no name stands. */
function importAt(tokens: readonly Token[], at: number, isMember: boolean): Import | null {
  const { path, end } = pathAt(tokens, at);
  if (path.length === 0) return null;
  const alias = tokens[end]?.text === 'as' ? tokens[end + 1]?.text : undefined;
  if (alias !== undefined) return { own: alias, path, next: end + 2 };
  return { own: isMember ? path.at(-1) : undefined, path, next: end };
}

/** `a as b, c as d` from a place on; `under` is what the names belong to. */
function imported(tokens: readonly Token[], from: number, under: string[], names: Names): void {
  let at = tokens[from]?.text === '(' ? from + 1 : from;
  for (;;) {
    const found = importAt(tokens, at, under.length > 0);
    if (found === null) return;
    const { own, path, next } = found;
    if (isWord(own)) names.set(own, [...under, ...path]);
    if (tokens[next]?.text !== ',') return;
    at = next + 1;
  }
}

/** Names that imports of Python bring under another name, and those that `from` brings. */
export function pythonNames(tokens: readonly Token[]): Names {
  const names: Names = new Map();
  let fromEnd = -1;
  for (const [at, { text }] of tokens.entries()) {
    if (text === 'from') {
      const { path, end } = fromAt(tokens, at + 1);
      fromEnd = end;
      if (path.length > 0 && tokens[end]?.text === 'import')
        imported(tokens, end + 1, [...path, '.'], names);
    } else if (text === 'import' && at !== fromEnd) imported(tokens, at + 1, [], names);
  }
  return names;
}

/** The dotted name after `from`; the dots of a relative one are passed over and name nothing. */
function fromAt(tokens: readonly Token[], from: number) {
  let at = from;
  while (/^\.+$/u.test(tokens[at]?.text ?? '')) at += 1;
  const { path, end } = pathAt(tokens, at);
  return { path: at === from ? path : [], end };
}
