import type { Contract } from '../../schemas/contract.ts';
import type { Conjuncts, ContractReport, Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { assuranceOf } from './assurance.ts';
import { digestOf } from './canonical-json.ts';
import { forbiddenReasons } from './forbidden.ts';
import { frameReasons } from './frames.ts';
import { parseManifest } from './manifest.ts';
import { project } from './projection.ts';
import { byPrimary } from './reason-codes.ts';
import { targetReasons } from './target.ts';
import { textReasons } from './text-policy.ts';
import { treeReasons } from './tree-rules.ts';

/** The name of a contract's edit authority: SHA-256 of the canonical JSON of every key but `build`. */
export function authoritySha({ build: _, ...authority }: Contract): string {
  return digestOf(authority);
}

/** Trees by the list that `parseManifest` gives: the base of many candidates is laid out once. */
const laidOut = new WeakMap<readonly TreeEntry[], ReadonlyMap<string, TreeEntry>>();

/**
 * A contract as a checker without grammars can hold it: tokens of protected text stay held, constructs and kinds of regions do
 * not. What it accepts reaches L2 and no further; its report says so.
 */
export function withoutGrammar(contract: Contract): Contract {
  const editable = contract.editable.map((entry): Contract['editable'][number] => {
    if (entry.region === undefined) return entry;
    const frame = (entry.frame ?? ['lexical']).filter((name) => name === 'lexical');
    return { ...entry, frame, region_kind: 'any' };
  });
  return { ...contract, editable };
}

/** A tree by its manifest's digest, as paths to entries in manifest order. */
export function readTree(
  digest: string,
  read: (sha256: string) => Uint8Array,
): ReadonlyMap<string, TreeEntry> {
  const entries = parseManifest(read(digest));
  const tree = laidOut.get(entries) ?? new Map(entries.map((entry) => [entry.path, entry]));
  laidOut.set(entries, tree);
  return tree;
}

/** Whether a list of reasons is empty; null when the conjunct had nothing to look at. */
const holds = (reasons: readonly Reason[] | null) =>
  reasons === null ? null : reasons.length === 0;

/** Reasons of ours that the published projection also has: a file that does not decompose is no projection. */
const undecomposed = new Set(['region.overlap', 'region.ambiguous']);

/** What is lifted by the contract itself, printed with every verdict. */
function liftedNotes({ override, editable, forbidden }: Contract): Reason[] {
  const note = (code: string, path: string | null, detail: string) => ({
    code,
    path,
    at: null,
    detail,
  });
  return [
    ...override.map(({ path, reason, approved_by }) =>
      note('note.override', path, `${reason} (approved by ${approved_by})`),
    ),
    ...editable.flatMap(({ file, text = {} }) =>
      Object.keys(text).map((rule) => note('note.text-allowed', file, `text.${rule} is allowed`)),
    ),
    ...(forbidden.allow ?? []).map(({ rule, reason }) =>
      note('note.rule-lifted', null, `${rule}: ${reason}`),
    ),
  ];
}

const untold: Conjuncts = {
  tree: false,
  projection: null,
  region: null,
  text: null,
  target: null,
  frameLexical: null,
  frameSyntactic: null,
  regionKind: null,
  forbidden: null,
  statement: null,
};

type Step = {
  readonly contract: Contract;
  /** Digests of the two trees' manifests. */
  readonly base: string;
  readonly candidate: string;
  /** Bytes of a blob by SHA-256. Manifests and changed entries are read, nothing else. */
  readonly read: (sha256: string) => Uint8Array;
  readonly parse: Parse;
};

type Found = {
  readonly projection: ReturnType<typeof project>;
  readonly text: Reason[];
  readonly target: Reason[] | null;
  readonly frames: ReturnType<typeof frameReasons>;
  readonly forbidden: ReturnType<typeof forbiddenReasons>;
};

const conjunctsOf = ({ projection, text, target, frames, forbidden }: Found): Conjuncts => ({
  tree: true,
  projection: holds(projection.reasons),
  region: holds(projection.region),
  text: holds(text),
  target: holds(target),
  frameLexical: holds(frames.lexical),
  frameSyntactic: holds(frames.syntactic),
  regionKind: holds(frames.regionKind),
  forbidden: holds(forbidden.reasons),
  statement: null,
});

const reasonsOf = ({ projection, text, target, frames, forbidden }: Found): Reason[] => [
  ...projection.reasons,
  ...projection.region,
  ...text,
  ...(target ?? []),
  ...(frames.lexical ?? []),
  ...(frames.syntactic ?? []),
  ...(frames.regionKind ?? []),
  ...forbidden.reasons,
];

/** Equation 2 as published, told from our conjuncts: bytes outside the regions, the target, the forbidden constructs. */
function conformsEq2({ projection }: Found, { target, forbidden }: Conjuncts): boolean {
  const isDecomposed = !projection.region.some(({ code }) => undecomposed.has(code));
  return projection.reasons.length === 0 && isDecomposed && target !== false && forbidden === true;
}

/**
 * Whether a step from base to candidate changed only what the contract allows. All reasons, the primary one first.
 * A function of the two trees and the contract; it never sees what a build said. Throws only on a contract that its base
 * does not fit, which the lint refuses first. Source: CAPRI, arXiv 2608.13459, Eq. 2, with the stricter rules of contracts.md.
 */
export function checkConforms({ contract, base, candidate, read, parse }: Step): ContractReport {
  const names = { contractSha256: digestOf(contract), authoritySha256: authoritySha(contract) };
  const head = { ...names, base, candidate };
  const before = readTree(base, read);
  const after = readTree(candidate, read);
  const tree = byPrimary(treeReasons(contract, before, after, read));
  const lifted = liftedNotes(contract);
  if (tree.length > 0) {
    const verdict = { conforms: false, conformsEq2: null, conjuncts: untold, reasons: tree };
    const assurance = assuranceOf(contract, untold, null);
    return { ...head, ...verdict, warnings: byPrimary(lifted), assurance };
  }
  const projection = project(contract, before, after, read);
  const { allowed } = projection;
  const found = {
    projection,
    text: textReasons(allowed),
    target: targetReasons(contract, after, read, parse),
    frames: frameReasons(contract, allowed, parse),
    forbidden: forbiddenReasons({ contract, allowed, before, after, read, parse }),
  };
  const reasons = byPrimary(reasonsOf(found));
  const conjuncts = conjunctsOf(found);
  return {
    ...head,
    conforms: reasons.length === 0,
    conformsEq2: conformsEq2(found, conjuncts),
    conjuncts,
    reasons,
    warnings: byPrimary([...lifted, ...found.forbidden.warnings]),
    assurance: assuranceOf(contract, conjuncts, null),
  };
}
