import type { Seed, Statement } from '../../schemas/seed.ts';
import type { Doc } from './docs.ts';
import { codeBlocks } from './mask.ts';

export type Leak = Seed['facts']['leaks'][number];

/** What a statement must not give away. `lines` are trimmed source lines that the change brought. */
export type Secrets = {
  readonly hashes: readonly string[];
  readonly lines: ReadonlySet<string>;
  readonly testNames: readonly string[];
  readonly testFiles: readonly string[];
  readonly sourceFiles: readonly string[];
};

type Found = Pick<Leak, 'kind' | 'quote'>;

/** The first thing in a statement that gives the fix away, or null. */
export function leakIn(statement: Statement, secrets: Secrets): Leak | null {
  const { text, doc } = statement;
  const found =
    hashIn(text, secrets.hashes) ??
    wordIn('test-name', text, secrets.testNames) ??
    wordIn('test-file', text, secrets.testFiles) ??
    placeIn(text, secrets.sourceFiles) ??
    (statement.kind === 'signature' ? null : lineIn(text, secrets.lines));
  return found === null ? null : { ...found, doc };
}

/** Code blocks of a text of which at least half the telling lines are lines of the fix. They are in no statement; this names them. */
export function leakyBlocks({ doc, text }: Doc, { lines }: Secrets): readonly Leak[] {
  return codeBlocks(text).flatMap(({ start, end, code }) => {
    const telling = code.split('\n').map(bare).filter(isTelling);
    const known = telling.filter((line) => lines.has(line));
    const leaks = known.length > 0 && known.length * 2 >= telling.length;
    return leaks ? [{ kind: 'code-block', doc, quote: text.slice(start, end) }] : [];
  });
}

/** A source line as it is compared: without indent and without the signs of a diff. */
export const bare = (line: string): string => line.replace(/^[ \t]*[+]?/, '').trim();

/** Whether a line is long and coded enough to give something away; braces, `return;` and sentences of a comment are not. */
export const isTelling = (line: string): boolean =>
  line.length >= 10 && /[=;{}]|\w\(|\w\.\w|\w\[/.test(line) && /[\p{L}\p{N}]{2}/u.test(line);

function hashIn(text: string, hashes: readonly string[]): Found | null {
  const quote = (text.match(/\b[0-9a-f]{7,64}\b/gi) ?? []).find((word) =>
    hashes.some((hash) => hash.startsWith(word.toLowerCase())),
  );
  return quote === undefined ? null : { kind: 'commit-hash', quote };
}

function wordIn(kind: string, text: string, words: readonly string[]): Found | null {
  const quote = words.find((word) => text.toLowerCase().includes(word.toLowerCase()));
  return quote === undefined ? null : { kind, quote };
}

/** A touched file with its folder, or with a line number: where to look is part of the work. */
function placeIn(text: string, paths: readonly string[]): Found | null {
  const quotes = paths.flatMap((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (path.includes('/') && text.includes(path)) return [path];
    const at = text.indexOf(name);
    const line = at === -1 ? null : /^(?::\d+|#L\d+| line \d+)/.exec(text.slice(at + name.length));
    return line === null ? [] : [name + line[0]];
  });
  return quotes[0] === undefined ? null : { kind: 'file-hint', quote: quotes[0] };
}

function lineIn(text: string, lines: ReadonlySet<string>): Found | null {
  for (const line of lines) if (text.includes(line)) return { kind: 'added-line', quote: line };
  return null;
}
