import type { Contract } from '../../schemas/contract.ts';
import type { ContractReport, Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { digestOf } from './canonical-json.ts';
import { forbiddenReasons } from './forbidden.ts';
import { parseManifest } from './manifest.ts';
import { type Allowed, project } from './projection.ts';
import { byPrimary } from './reason-codes.ts';
import { cookieHits, type TextHit, textHits } from './text.ts';
import { treeReasons } from './tree-rules.ts';

const LF = 0x0a;

/** The name of a contract's edit authority: SHA-256 of its canonical JSON. Environments have no part in it. */
export const authoritySha = (contract: Contract): string => digestOf(contract);

/** A tree by its manifest's digest, as paths to entries in manifest order. */
export function readTree(
  digest: string,
  read: (sha256: string) => Uint8Array,
): Map<string, TreeEntry> {
  return new Map(parseManifest(read(digest)).map((entry) => [entry.path, entry]));
}

function hitsOf({ path, base, candidate, bodies }: Allowed): TextHit[] {
  const cookies = /\.pyi?$/u.test(path) ? cookieHits(candidate, base) : [];
  if (bodies.length === 0) {
    const wantsFinalNewline = base === null || base.length === 0 || base.at(-1) === LF;
    return [
      ...textHits({ bytes: candidate, base, offset: 0, isWhole: true, wantsFinalNewline }),
      ...cookies,
    ];
  }
  const hits = bodies.flatMap(({ span, start, bytes }) => {
    const wantsFinalNewline = span.markers.length > 0 || base?.[span.end - 1] === LF;
    return textHits({ bytes, base, offset: start, isWhole: false, wantsFinalNewline });
  });
  return [...hits, ...cookies];
}

const textReasons = (allowed: readonly Allowed[]): Reason[] =>
  allowed.flatMap((file) => hitsOf(file).map((hit) => ({ ...hit, path: file.path })));

/** The highest level for which all lower ones hold, with what this form does not check. */
function assuranceOf(
  contract: Contract,
  levels: { bytes: boolean; text: boolean; forbidden: boolean },
): string {
  if (!levels.bytes) return 'none';
  if (!levels.text) return 'L0';
  const packs = contract.forbidden.packs.length > 0 && levels.forbidden ? '+L4; ' : '';
  const isWhole = contract.editable.every(({ whole_file }) => whole_file === true);
  return `L1 (${packs}L2, L3 ${isWhole ? 'vacuous: whole files' : 'not checked'})`;
}

type Step = {
  readonly contract: Contract;
  /** Digests of the two trees' manifests. */
  readonly base: string;
  readonly candidate: string;
  /** Bytes of a blob by SHA-256. Manifests and changed entries are read, nothing else. */
  readonly read: (sha256: string) => Uint8Array;
};

/**
 * Whether a step from base to candidate changed only what the contract allows. All reasons, the primary one first.
 * A function of the two trees and the contract; it never sees what a build said. Throws only on a contract that its base
 * does not fit, which the lint refuses first. Source: CAPRI, arXiv 2608.13459, with the stricter rules of contracts.md 5 and 6.
 */
export function checkConforms({ contract, base, candidate, read }: Step): ContractReport {
  const head = { contractSha256: digestOf(contract), base, candidate };
  const before = readTree(base, read);
  const after = readTree(candidate, read);
  const tree = treeReasons(before, after, read);
  if (tree.length > 0) {
    const conjuncts = { tree: false, projection: null, region: null, text: null, forbidden: null };
    return { ...head, conforms: false, conjuncts, reasons: byPrimary(tree), assurance: 'none' };
  }
  const projection = project(contract, before, after, read);
  const text = textReasons(projection.allowed);
  const forbidden = forbiddenReasons(contract, projection.allowed);
  const reasons = byPrimary([...projection.reasons, ...projection.region, ...text, ...forbidden]);
  const conjuncts = {
    tree: true,
    projection: projection.reasons.length === 0,
    region: projection.region.length === 0,
    text: text.length === 0,
    forbidden: forbidden.length === 0,
  };
  const bytes = conjuncts.projection && conjuncts.region;
  const assurance = assuranceOf(contract, {
    bytes,
    text: conjuncts.text,
    forbidden: conjuncts.forbidden,
  });
  return { ...head, conforms: reasons.length === 0, conjuncts, reasons, assurance };
}
