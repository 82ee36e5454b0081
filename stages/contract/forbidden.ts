import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { confusableNotes } from './confusable.ts';
import type { Lexed } from './lexer.ts';
import type { Pack, PackLanguage } from './packs/pack.ts';
import { packs } from './packs/registry.ts';
import { profileOf } from './profiles/registry.ts';
import type { Allowed } from './projection.ts';
import { declaredNames, type Hit, hitsOf, type RuleHits, withEvaluated } from './rules.ts';
import { scannerOf } from './scanners/registry.ts';
import { byteCounter } from './scanners/spans.ts';
import { utf8 } from './text.ts';

type NamedPack = { readonly name: string; readonly pack: Pack };
type Scan = { readonly text: string; readonly lexed: Lexed };
type Found = { readonly reasons: Reason[]; readonly warnings: Reason[] };

const nothing: Found = { reasons: [], warnings: [] };

/** The packs of a contract for one language, and its own constructs as a pack of that language. */
function packsFor({ forbidden }: Contract, language: PackLanguage): NamedPack[] {
  const named = forbidden.packs.flatMap((name) => {
    const pack = Object.hasOwn(packs, name) ? packs[name] : undefined;
    return pack?.language === language ? [{ name, pack }] : [];
  });
  const { constructs = [] } = forbidden;
  const own = { language, tokens: constructs, comments: [] };
  return constructs.length === 0 ? named : [...named, { name: 'constructs', pack: own }];
}

const lift = /^([^#]+)(?:#(.+))?$/su;

/** Hits that the contract does not lift by rule: `pack` lifts all of it, `pack#word` those that hold the word. */
function unlifted({ forbidden }: Contract, name: string, { rule, hits }: RuleHits): RuleHits {
  const lifted = (forbidden.allow ?? []).flatMap((entry) => {
    const [, pack, word] = lift.exec(entry.rule) ?? [];
    return pack === name ? [word ?? null] : [];
  });
  const isLifted = ({ words }: Hit) => lifted.some((word) => word === null || words.includes(word));
  return { rule, hits: hits.filter((hit) => !isLifted(hit)) };
}

type Subject = {
  readonly contract: Contract;
  readonly file: Allowed;
  readonly before: Scan | null;
  readonly after: Scan;
  readonly names: ReadonlySet<string>;
};

/** Whether a hit touches a body: one of its tokens lies inside. */
function touchesBody({ file, contract }: Subject, at: number, last: number): boolean {
  if (contract.forbidden.scope !== 'region' || file.regions.length === 0) return true;
  return file.regions.some(({ start, bytes }) => at < start + bytes.length && last >= start);
}

function packFound(subject: Subject, { name, pack }: NamedPack): Found {
  const { contract, file, before, after, names } = subject;
  const isTolerant = contract.forbidden.baseline === 'tolerate';
  const old =
    before === null
      ? []
      : hitsOf(pack, before.lexed, names).map((one) => unlifted(contract, name, one));
  const found: { reasons: Reason[]; warnings: Reason[] } = { reasons: [], warnings: [] };
  for (const [index, one] of hitsOf(pack, after.lexed, names).entries()) {
    const { rule, hits } = unlifted(contract, name, one);
    const had = old[index]?.hits.length ?? 0;
    const byteAt = byteCounter(after.text);
    const places = hits.map(({ at, last }) => ({ at: byteAt(at), last: byteAt(last) }));
    const counted = isTolerant
      ? places
      : places.filter(({ at, last }) => touchesBody(subject, at, last));
    const place = counted[isTolerant ? had : 0];
    const detail = `"${rule}" ${counted.length} times, ${had} in the base`;
    if (place !== undefined)
      found.reasons.push({ code: `forbidden:${name}`, path: file.path, at: place.at, detail });
    else if (had > 0 && places[0] !== undefined)
      found.warnings.push({
        code: 'note.old-hit',
        path: file.path,
        at: places[0].at,
        detail: `${name}: ${detail}`,
      });
  }
  return found;
}

const joined = (parts: readonly Found[]): Found => ({
  reasons: parts.flatMap(({ reasons }) => reasons),
  warnings: parts.flatMap(({ warnings }) => warnings),
});

/** Names that protected text of a file declares; a file that is editable as a whole protects none. */
function protectedNames({ regions }: Allowed, { text, lexed }: Scan): ReadonlySet<string> {
  if (regions.length === 0) return new Set();
  const byteAt = byteCounter(text);
  const isProtected = (unit: number) => {
    const at = byteAt(unit);
    return regions.every(({ start, bytes }) => at < start || at >= start + bytes.length);
  };
  return declaredNames(lexed.tokens, isProtected);
}

function fileFound(contract: Contract, file: Allowed): Found {
  const scanner = scannerOf(profileOf(file.path, file.entry?.profile).name);
  const named = scanner === null ? [] : packsFor(contract, scanner.language);
  if (scanner === null || named.length === 0) return nothing;
  const scan = (bytes: Uint8Array): Scan | null => {
    const text = utf8(bytes);
    return text === null ? null : { text, lexed: withEvaluated(scanner.scan(text), scanner.scan) };
  };
  const after = scan(file.candidate);
  if (after === null) {
    const detail = 'bytes that are not UTF-8';
    return { reasons: [{ code: 'scan.error', path: file.path, at: null, detail }], warnings: [] };
  }
  const before = file.base === null ? null : scan(file.base);
  const subject = { contract, file, before, after, names: protectedNames(file, after) };
  const notes = confusableNotes(file.path, before?.lexed ?? null, after);
  return joined([
    ...named.map((pack) => packFound(subject, pack)),
    { reasons: [], warnings: notes },
  ]);
}

type Step = {
  readonly contract: Contract;
  readonly allowed: readonly Allowed[];
  readonly before: ReadonlyMap<string, TreeEntry>;
  readonly after: ReadonlyMap<string, TreeEntry>;
  readonly read: (sha256: string) => Uint8Array;
};

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
 * start at zero; with `baseline: reject` any hit is one. Old hits that stay are told, not punished. Source: contracts.md 8.
 */
export function forbiddenReasons(step: Step): Found {
  const files = [...step.allowed, ...wholeTree(step)];
  return joined(files.map((file) => fileFound(step.contract, file)));
}
