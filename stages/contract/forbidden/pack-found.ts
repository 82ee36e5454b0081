import type { Contract } from '../../../schemas/contract.ts';
import type { Reason } from '../../../schemas/contract-report.ts';
import type { Pack } from '../packs/pack.ts';
import type { Allowed } from '../projection.ts';
import { type Hit, hitsOf, merged, type RuleHits } from '../rules.ts';
import { byteCounter } from '../scanners/spans.ts';
import { writtenNames } from './protected-names.ts';
import type { Reading } from './readings.ts';

/** One file of a step, before and after, with the names that its protected text declares. */
export type FileScan = {
  readonly contract: Contract;
  readonly file: Allowed;
  readonly before: Reading | null;
  readonly after: Reading;
  readonly names: ReadonlySet<string>;
};

type Found = { readonly reasons: Reason[]; readonly warnings: Reason[] };

/** A hit in bytes. */
type Spot = { readonly at: number; readonly last: number; readonly words: readonly string[] };
type RuleSpots = { readonly rule: string; readonly spots: readonly Spot[] };

const lift = /^([^#]+)(?:#(.+))?$/su;

/** Hits that the contract does not lift by rule: `pack` lifts all of it, `pack#word` those that hold the word. */
function unlifted({ forbidden }: Contract, name: string, hits: readonly Spot[]): readonly Spot[] {
  const lifted = (forbidden.allow ?? []).flatMap((entry) => {
    const [, pack, word] = lift.exec(entry.rule) ?? [];
    return pack === name ? [word ?? null] : [];
  });
  const isLifted = ({ words }: Spot) =>
    lifted.some((word) => word === null || words.includes(word));
  return lifted.length === 0 ? hits : hits.filter((hit) => !isLifted(hit));
}

/** Hits come in order of their first token, and several may end beyond the next one's start. */
function inBytes(text: string, { rule, hits }: RuleHits): RuleSpots {
  const firstAt = byteCounter(text);
  const lastAt = byteCounter(text);
  const spot = ({ at, last, words }: Hit) => ({ at: firstAt(at), last: lastAt(last), words });
  return { rule, spots: hits.map(spot) };
}

const WRITTEN = 'assignment to a protected name';

function spotsOf(pack: Pack, reading: Reading, names: ReadonlySet<string>): RuleSpots[] {
  const { text, readings, root } = reading;
  const rules = merged(readings.map((lexed) => hitsOf(pack, lexed, names)));
  const spots = rules.map((one) => inBytes(text, one));
  if (pack.keepsNames !== true || root === null) return spots;
  const written = writtenNames(root, new TextEncoder().encode(text), names);
  const own = written.map(({ name, at }) => ({ at, last: at, words: [name] }));
  return [...spots, { rule: WRITTEN, spots: own }];
}

/** Whether a hit touches a body: one of its tokens lies inside. */
const touchesBody = ({ regions }: Allowed, { at, last }: Spot) =>
  regions.length === 0 ||
  regions.some(({ start, bytes }) => at < start + bytes.length && last >= start);

/** Of the hits that count the one to show: the first in a body, else the first that the base does not have. */
const shown = (file: Allowed, counted: readonly Spot[], had: number) =>
  (file.regions.length > 0 ? counted.find((spot) => touchesBody(file, spot)) : undefined) ??
  counted[had];

function ruleFound(scan: FileScan, name: string, { rule, spots }: RuleSpots, had: number): Found {
  const { contract, file } = scan;
  const { scope, baseline } = contract.forbidden;
  const isTolerant = baseline === 'tolerate';
  const isNarrow = !isTolerant && scope === 'region';
  const counted = isNarrow ? spots.filter((spot) => touchesBody(file, spot)) : spots;
  const allowedCount = isTolerant ? had : 0;
  const detail = `"${rule}" ${counted.length} times, ${had} in the base`;
  const at = shown(file, counted, allowedCount)?.at ?? null;
  if (counted.length > allowedCount)
    return { reasons: [{ code: `forbidden:${name}`, path: file.path, at, detail }], warnings: [] };
  const [old] = spots;
  if (had === 0 || old === undefined) return { reasons: [], warnings: [] };
  const note = { code: 'note.old-hit', path: file.path, at: old.at, detail: `${name}: ${detail}` };
  return { reasons: [], warnings: [note] };
}

/** What a pack says of a step in one file; of several rules that are met at one place the first. */
export function packFound(scan: FileScan, name: string, pack: Pack): Found {
  const { contract, before, after, names } = scan;
  const old = before === null ? [] : spotsOf(pack, before, names);
  const hadOf = new Map(
    old.map(({ rule, spots }) => [rule, unlifted(contract, name, spots).length]),
  );
  const found = spotsOf(pack, after, names).map(({ rule, spots }) =>
    ruleFound(scan, name, { rule, spots: unlifted(contract, name, spots) }, hadOf.get(rule) ?? 0),
  );
  const reasons = found.flatMap((one) => one.reasons);
  const places = new Set<number | null>();
  const first = reasons.filter(({ at }) => !places.has(at) && places.add(at));
  return { reasons: first, warnings: found.flatMap(({ warnings }) => warnings) };
}
