import type { ProfileName, RegionKind } from '../../../schemas/contract.ts';
import type { Parse } from '../../../schemas/syntax.ts';

/** One token or comment of a file; `start` and `end` are byte offsets of the UTF-8 text. */
export type FrameToken = {
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** All tokens of a file, comments included, in order. `error` names what could not be read, null when all could. */
export type FrameTokens = { readonly tokens: readonly FrameToken[]; readonly error: string | null };

/** One region in both files, in byte offsets. */
export type FrameRegion = {
  readonly id: string;
  readonly kind: RegionKind;
  readonly base: { readonly start: number; readonly end: number };
  readonly candidate: { readonly start: number; readonly end: number };
};

/** One editable file with regions, before and after. Outside the regions the two texts are already known to be equal bytes. */
export type FrameInput = {
  readonly path: string;
  readonly base: Uint8Array;
  readonly candidate: Uint8Array;
  /** In order of position. */
  readonly regions: readonly FrameRegion[];
  readonly parse: Parse;
};

export type FrameHit = {
  readonly code: 'frame.lexical' | 'frame.syntactic' | 'frame.capture' | 'frame.region-kind';
  /** Byte offset in the candidate. */
  readonly at: number;
  readonly detail: string;
};

/** A declaration of a file. `name` as contracts write it: `LruCache.get` for a member, titles joined by ` > ` for a test. */
export type DeclarationSpan = {
  readonly kind: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
};

/**
 * A language as the checker knows it: one file, one line in the registry. Every function is total on arbitrary bytes; what it
 * throws is reported as `scan.error`, a violation.
 */
export type Profile = {
  readonly name: ProfileName;
  readonly extensions: readonly string[];
  readonly tokens: ((path: string, text: Uint8Array, parse: Parse) => FrameTokens) | null;
  /** Skeleton or indentation rules and the capture rule; null where the profile has no parser. */
  readonly syntactic: ((input: FrameInput) => readonly FrameHit[]) | null;
  /** What may stand in a region of each kind; a kind that is not listed is refused by the lint. */
  readonly regionKinds: Partial<
    Record<RegionKind, ((input: FrameInput) => readonly FrameHit[]) | null>
  >;
  readonly declarations:
    | ((path: string, text: Uint8Array, parse: Parse) => readonly DeclarationSpan[])
    | null;
};
