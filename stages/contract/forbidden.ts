import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { lexJavascript } from './lex-javascript.ts';
import { lexPython } from './lex-python.ts';
import type { Lexed, Token } from './lexer.ts';
import type { Pack } from './packs/pack.ts';
import { packs } from './packs/registry.ts';
import type { Allowed } from './projection.ts';
import { utf8 } from './text.ts';

const lexers = { javascript: lexJavascript, python: lexPython } as const;

function languageOf(path: string): Pack['language'] | null {
  if (/\.[cm]?[jt]sx?$/u.test(path)) return 'javascript';
  return /\.pyi?$/u.test(path) ? 'python' : null;
}

type Rule = {
  readonly text: string;
  readonly not: readonly string[];
  readonly row: readonly (readonly string[])[];
};

function ruleOf(text: string): Rule {
  const words = text.split(' ');
  const not = words[0]?.startsWith('!') ? words.shift()?.slice(1).split('|') : [];
  return { text, not: not ?? [], row: words.map((word) => word.split('|')) };
}

function fits(rule: Rule, tokens: readonly Token[], at: number): boolean {
  if (rule.not.includes(tokens[at - 1]?.text ?? '')) return false;
  return rule.row.every((choice, offset) => {
    const text = tokens[at + offset]?.text;
    return text !== undefined && (choice[0] === '*' || choice.includes(text));
  });
}

/** Where each rule of a pack is met in a file, in UTF-16 units. */
function hitsOf(pack: Pack, lexed: Lexed): { rule: string; at: number[] }[] {
  const rules = pack.tokens.map(ruleOf).map((rule) => ({
    rule: rule.text,
    at: lexed.tokens.flatMap((token, at) => (fits(rule, lexed.tokens, at) ? [token.at] : [])),
  }));
  const comments = pack.comments.map((pattern) => ({
    rule: pattern.source,
    at: lexed.comments.filter(({ text }) => pattern.test(text)).map(({ at }) => at),
  }));
  return [...rules, ...comments];
}

const bytesBefore = (text: string, at: number) =>
  new TextEncoder().encode(text.slice(0, at)).length;

type Scan = { readonly text: string; readonly lexed: Lexed };

function scan(language: Pack['language'], bytes: Uint8Array): Scan | null {
  const text = utf8(bytes);
  return text === null ? null : { text, lexed: lexers[language](text) };
}

/** Hits that count: those inside the bodies when only regions are scanned, all of a file otherwise. */
function counted(contract: Contract, file: Allowed, text: string, offsets: number[]): number[] {
  const bytes = offsets.map((at) => bytesBefore(text, at));
  if (contract.forbidden.scope === 'file' || file.bodies.length === 0) return bytes;
  return bytes.filter((at) =>
    file.bodies.some(({ start, bytes: body }) => at >= start && at < start + body.length),
  );
}

type Compared = {
  readonly contract: Contract;
  readonly file: Allowed;
  readonly before: Scan | null;
  readonly after: Scan;
};

/** Rules of one pack that the candidate meets more often than the base, each with the place of its first new hit. */
function packReasons(
  name: string,
  pack: Pack,
  { contract, file, before, after }: Compared,
): Reason[] {
  const isTolerant = contract.forbidden.baseline === 'tolerate';
  const old = before === null || !isTolerant ? [] : hitsOf(pack, before.lexed);
  return hitsOf(pack, after.lexed).flatMap(({ rule, at }, index): Reason[] => {
    const allowance = old[index]?.at.length ?? 0;
    const hits = isTolerant
      ? at.map((hit) => bytesBefore(after.text, hit))
      : counted(contract, file, after.text, at);
    const place = hits[allowance];
    if (place === undefined) return [];
    const detail = `"${rule}" ${hits.length} times, ${allowance} in the base`;
    return [{ code: `forbidden:${name}`, path: file.path, at: place, detail }];
  });
}

function fileReasons(contract: Contract, file: Allowed): Reason[] {
  const language = languageOf(file.path);
  const named = contract.forbidden.packs.flatMap((name) => {
    const pack = packs[name];
    return pack?.language === language ? [{ name, pack }] : [];
  });
  if (language === null || named.length === 0) return [];
  const after = scan(language, file.candidate);
  if (after === null) {
    return [{ code: 'scan.error', path: file.path, at: null, detail: 'bytes that are not UTF-8' }];
  }
  const before = file.base === null ? null : scan(language, file.base);
  return named.flatMap(({ name, pack }) =>
    packReasons(name, pack, { contract, file, before, after }),
  );
}

type Step = {
  readonly contract: Contract;
  readonly allowed: readonly Allowed[];
  readonly before: ReadonlyMap<string, TreeEntry>;
  readonly after: ReadonlyMap<string, TreeEntry>;
  readonly read: (sha256: string) => Uint8Array;
};

/**
 * New uses of what a contract forbids, file by file. A count above the base's count for the same rule is a hit; created files
 * start at zero. With tolerance the count of a whole file serves both scopes, since its protected text is the base's.
 */
export function forbiddenReasons({ contract, allowed }: Step): {
  reasons: Reason[];
  warnings: Reason[];
} {
  return { reasons: allowed.flatMap((file) => fileReasons(contract, file)), warnings: [] };
}
