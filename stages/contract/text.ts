import { equalBytes, linesOf } from './bytes.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LF = 0x0a;
const CR = 0x0d;
const maxLine = 2000;
const BOM = '\ufeff';

export type TextHit = { readonly code: string; readonly at: number; readonly detail: string };

/** The text of valid UTF-8 bytes, BOM kept, or null. */
export function utf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return null;
    throw cause;
  }
}

/** Equal for equal bytes alone: text where they are one, else byte by byte. */
const keyOf = (line: Uint8Array) => {
  const text = utf8(line);
  return text === null ? `bytes ${line.join(' ')}` : `text ${text}`;
};

const endsWithCrlf = (line: Uint8Array) => line.at(-1) === LF && line.at(-2) === CR;

/** How the lines of a file end: `crlf` when all do, else `lf`, also for a file without any. */
export function lineEndOf(bytes: Uint8Array): 'lf' | 'crlf' {
  const ended = linesOf(bytes).filter(({ line }) => line.at(-1) === LF);
  return ended.length > 0 && ended.every(({ line }) => endsWithCrlf(line)) ? 'crlf' : 'lf';
}

const bidi = /[\u202a-\u202e\u2066-\u2069]/u;
const separators = /[\u2028\u2029]/u;
const control = /(?![\t\r\n])\p{Cc}/u;
const invisible =
  /(?![\u202a-\u202e\u2066-\u2069\ufeff])(?:\p{Default_Ignorable_Code_Point}|\p{Cf})/u;

const characters: readonly [string, RegExp, string][] = [
  ['text.control', control, 'a control character'],
  ['text.bidi', bidi, 'a control that reverses the direction of text'],
  ['text.invisible', invisible, 'a character that cannot be seen'],
  ['text.newline', separators, 'a line separator that is not a line end'],
];

function newlineProblem(line: Uint8Array, end: 'lf' | 'crlf'): string | null {
  const body = line.subarray(0, endsWithCrlf(line) ? -2 : line.at(-1) === LF ? -1 : line.length);
  if (body.includes(CR)) return 'a CR that ends no line';
  if (line.at(-1) !== LF) return null;
  const own = endsWithCrlf(line) ? 'crlf' : 'lf';
  return own === end
    ? null
    : `a line that ends with ${own.toUpperCase()} where the file has ${end.toUpperCase()}`;
}

function lineHits(line: Uint8Array, at: number, end: 'lf' | 'crlf', first: boolean): TextHit[] {
  const text = utf8(line);
  if (text === null) return [{ code: 'text.encoding', at, detail: 'bytes that are not UTF-8' }];
  const hits: TextHit[] = [];
  const hit = (code: string, detail: string) => hits.push({ code, at, detail });
  for (const [code, pattern, detail] of characters) if (pattern.test(text)) hit(code, detail);
  if (text.indexOf(BOM, first ? 1 : 0) !== -1) hit('text.bom', 'a byte order mark inside the text');
  const newline = newlineProblem(line, end);
  if (newline) hit('text.newline', newline);
  if (text.replace(/\r?\n$/u, '').length > maxLine)
    hit('text.line', `a line of more than ${maxLine} characters`);
  return hits;
}

type Judged = {
  /** New content: a region's body, a created file, or the whole of a `whole_file` entry. */
  readonly bytes: Uint8Array;
  /** The file's bytes in the base; null for a created file. */
  readonly base: Uint8Array | null;
  /** Offset of `bytes` in the candidate file; positions are counted from the file's start. */
  readonly offset: number;
  /** A whole file is judged by the lines that the base lacks; a region's body by all its lines. */
  readonly isWhole: boolean;
  /** False for a region whose own text in the base ends inside a line. */
  readonly wantsFinalNewline: boolean;
};

function bomHit({ bytes, base, offset }: Judged): TextHit[] {
  if (offset > 0) return [];
  const has = (file: Uint8Array) => file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf;
  const had = base !== null && has(base);
  if (has(bytes) === had) return [];
  return [
    { code: 'text.bom', at: 0, detail: had ? 'the byte order mark is gone' : 'a byte order mark' },
  ];
}

/**
 * The text policy (contracts.md 6) on new content. Never throws; bytes that are not UTF-8 are a hit.
 */
export function textHits(judged: Judged): TextHit[] {
  const { bytes, base, offset } = judged;
  const known = new Set(judged.isWhole && base ? linesOf(base).map(({ line }) => keyOf(line)) : []);
  const end = base === null ? 'lf' : lineEndOf(base);
  const fresh = linesOf(bytes).filter(({ line }) => !known.has(keyOf(line)));
  const hits = fresh.flatMap(({ start, line }) =>
    lineHits(line, offset + start, end, offset + start === 0),
  );
  const last = fresh.at(-1);
  if (judged.wantsFinalNewline && last && last.line.at(-1) !== LF) {
    hits.push({
      code: 'text.final-newline',
      at: offset + bytes.length,
      detail: 'the last line has no line end',
    });
  }
  return [...bomHit(judged), ...hits];
}

const cookie = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/u;

/** A Python coding cookie, new in the first two lines of a file, that makes "comments" mean something else. */
export function cookieHits(candidate: Uint8Array, base: Uint8Array | null): TextHit[] {
  const old = linesOf(base ?? new Uint8Array()).slice(0, 2);
  return linesOf(candidate)
    .slice(0, 2)
    .filter(({ line }) => !old.some((before) => equalBytes(before.line, line)))
    .flatMap(({ start, line }) => {
      const codec = cookie.exec(utf8(line) ?? '')?.[1];
      if (codec === undefined || /^utf[-_]?8$/iu.test(codec)) return [];
      return [{ code: 'text.cookie', at: start, detail: `the coding cookie "${codec}"` }];
    });
}
