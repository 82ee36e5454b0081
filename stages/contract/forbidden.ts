import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { confusableNotes } from './confusable.ts';
import { type FileScan, packFound } from './forbidden/pack-found.ts';
import { declaredNames } from './forbidden/protected-names.ts';
import { baseReadingOf, type Reading, readingOf } from './forbidden/readings.ts';
import type { Pack, PackLanguage } from './packs/pack.ts';
import { packs } from './packs/registry.ts';
import { profileOf } from './profiles/registry.ts';
import type { Allowed } from './projection.ts';
import { scannerOf } from './scanners/registry.ts';
import { byteCounter } from './scanners/spans.ts';

type NamedPack = { readonly name: string; readonly pack: Pack };
type Scanner = NonNullable<ReturnType<typeof scannerOf>>;
type Found = { readonly reasons: readonly Reason[]; readonly warnings: readonly Reason[] };

type Step = {
  readonly contract: Contract;
  readonly allowed: readonly Allowed[];
  readonly before: ReadonlyMap<string, TreeEntry>;
  readonly after: ReadonlyMap<string, TreeEntry>;
  readonly read: (sha256: string) => Uint8Array;
  readonly parse: Parse;
};

const nothing: Found = { reasons: [], warnings: [] };

const ofLanguage = ({ forbidden }: Contract, language: PackLanguage): NamedPack[] =>
  forbidden.packs.flatMap((name) => {
    const pack = Object.hasOwn(packs, name) ? packs[name] : undefined;
    return pack?.language === language ? [{ name, pack }] : [];
  });

/** The packs of a contract for one language, and its own constructs as tokens of that language that stand for themselves. */
function packsFor(contract: Contract, { language, scan }: Scanner): NamedPack[] {
  const { constructs = [] } = contract.forbidden;
  const named = ofLanguage(contract, language);
  if (constructs.length === 0) return named;
  const literal = constructs.map((one) => scan(one).tokens.map(({ text }) => text));
  const own: Pack = { language, tokens: [], comments: [], literal };
  return [...named, { name: 'constructs', pack: own }];
}

const joined = (parts: readonly Found[]): Found => ({
  reasons: parts.flatMap(({ reasons }) => reasons),
  warnings: parts.flatMap(({ warnings }) => warnings),
});

/** Names that protected text of a file declares; a file that is editable as a whole protects none. */
function protectedNames({ regions }: Allowed, { text, readings }: Reading): ReadonlySet<string> {
  const [first] = readings;
  if (regions.length === 0 || first === undefined) return new Set();
  const byteAt = byteCounter(text);
  const isProtected = (unit: number) => {
    const at = byteAt(unit);
    return regions.every(({ start, bytes }) => at < start || at >= start + bytes.length);
  };
  return declaredNames(first.tokens, isProtected);
}

const scanError = (path: string, detail: string): Found => ({
  reasons: [{ code: 'scan.error', path, at: null, detail }],
  warnings: [],
});

function scanned(
  { contract, before: tree }: Step,
  file: Allowed,
  scanner: Scanner,
  parse: Parse | null,
): Found {
  const { path, base, candidate } = file;
  const entry = tree.get(path);
  const after = readingOf(path, candidate, scanner, parse);
  const first = after?.readings[0];
  if (after === null || first === undefined) return scanError(path, 'bytes that are not UTF-8');
  const before =
    base === null || entry === undefined ? null : baseReadingOf(entry, base, scanner, parse);
  const names = protectedNames(file, after);
  const scan: FileScan = { contract, file, before, after, names };
  const notes = confusableNotes(path, before?.readings[0] ?? null, after.text, first);
  return joined([
    ...packsFor(contract, scanner).map(({ name, pack }) => packFound(scan, name, pack)),
    { reasons: [], warnings: notes },
  ]);
}

function fileFound(step: Step, file: Allowed, parse: Parse | null): Found {
  const scanner = scannerOf(profileOf(file.path, file.entry?.profile).name);
  if (scanner === null || packsFor(step.contract, scanner).length === 0) return nothing;
  try {
    return scanned(step, file, scanner, parse);
  } catch (error) {
    return scanError(file.path, `the file cannot be scanned: ${error}`);
  }
}

/** Files that a scan of the whole tree reads on top of the changed ones; with tolerance an unchanged file cannot be worse. */
function wholeTree({ contract, allowed, before, after, read }: Step): Allowed[] {
  if (contract.forbidden.scope !== 'tree' || contract.forbidden.baseline === 'tolerate') return [];
  const seen = new Set(allowed.map(({ path }) => path));
  const rest = [...after.values()].filter(
    ({ path, kind }) =>
      !seen.has(path) && (kind === 'file' || kind === 'exec') && profileOf(path).name !== 'none',
  );
  return rest.map(({ path, sha256 }) => {
    const old = before.get(path);
    const base = old === undefined ? null : read(old.sha256);
    return { path, entry: null, base, candidate: read(sha256), bodies: [], regions: [] };
  });
}

/**
 * New uses of what a contract forbids, file by file. A count above the base's count for the same rule is a hit; created files
 * start at zero; with `baseline: reject` any hit is one. Old hits that stay are told, not punished. Scripts that may have
 * changed are read by their grammar too, where there is one. Source: contracts.md 8.
 */
export function forbiddenReasons(step: Step): Found {
  const { allowed, parse } = step;
  return joined([
    ...allowed.map((file) => fileFound(step, file, parse)),
    ...wholeTree(step).map((file) => fileFound(step, file, null)),
  ]);
}
