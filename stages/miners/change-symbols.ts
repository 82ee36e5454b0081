import type { Parse } from '../../schemas/syntax.ts';
import { grammarOf } from '../weave/operators/grammar.ts';
import { type Declared, declarationsIn, namesAt } from '../weave/symbols.ts';
import type { ReadChange } from './read-change.ts';

/** Symbols that one changed file touches, as `path#symbol`. */
export type SymbolsOf = (read: ReadChange) => readonly string[];

const REMEMBERED = 500;

/**
 * Reads symbols of both sides, since what a change removes is touched too; a file without grammar counts as a whole.
 * Declarations are remembered by blob: in a history the side before one change is the side after another.
 */
export function symbolReader(parse: Parse): SymbolsOf {
  const known = new Map<string, readonly Declared[] | null>();
  const declared = (oid: string, language: string, bytes: Uint8Array) => {
    const found = known.get(oid) ?? declarationsIn(parse, language, bytes);
    const oldest = known.keys().next().value;
    if (known.size >= REMEMBERED && oldest !== undefined) known.delete(oldest);
    known.set(oid, found);
    return found;
  };
  return ({ change, before, after, binary, lines }) => {
    const language = grammarOf(change.path);
    if (binary || language === null) return [change.path];
    const side = (oid: string | null, bytes: Uint8Array | null, touched: readonly number[]) =>
      oid === null || bytes === null || touched.length === 0
        ? []
        : namesAt(declared(oid, language, bytes) ?? [], touched);
    const names = [
      ...side(change.after, after, lines.added),
      ...side(change.before, before, lines.removed),
    ];
    return names.length === 0 ? [change.path] : names.map((name) => `${change.path}#${name}`);
  };
}
