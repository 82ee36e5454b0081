import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import { lexicalHits } from './frames/lexical.ts';
import type { FrameHit, FrameInput, Profile } from './profiles/profile.ts';
import { profileOf } from './profiles/registry.ts';
import type { Allowed } from './projection.ts';
import type { Body, Editable } from './regions.ts';

/** Null: nothing to look at, since no file with regions asks for this frame. */
export type Framed = {
  readonly lexical: Reason[] | null;
  readonly syntactic: Reason[] | null;
  readonly regionKind: Reason[] | null;
};

type Frame = 'lexical' | 'syntactic';

/** The frames that hold for an entry: those it names, else all that its profile has. */
export function framesOf(entry: Editable, profile: Profile): readonly Frame[] {
  if (entry.frame !== undefined) return entry.frame;
  return [
    ...(profile.tokens === null ? [] : (['lexical'] as const)),
    ...(profile.syntactic === null ? [] : (['syntactic'] as const)),
  ];
}

/** The kind of an entry's region: its own word, else the strictest kind that its profile has. */
const kindOf = (entry: Editable, profile: Profile) =>
  entry.region_kind ?? (Object.keys(profile.regionKinds) as ('any' | undefined)[])[0] ?? 'any';

const regionOf = ({ span, start, bytes }: Body, profile: Profile) => ({
  id: span.id,
  kind: kindOf(span.entry, profile),
  base: { start: span.start, end: span.end },
  candidate: { start, end: start + bytes.length },
});

/** A check that throws has found nothing out; that is a violation and never a pass. */
function guarded(path: string, check: () => readonly FrameHit[]): Reason[] {
  try {
    return check().map((hit) => ({ ...hit, path }));
  } catch (error) {
    return [{ code: 'scan.error', path, at: null, detail: `the frame cannot be read: ${error}` }];
  }
}

function fileFrames(file: Allowed, parse: Parse): Framed {
  const { path, entry, base } = file;
  if (entry === null || base === null || file.regions.length === 0)
    return { lexical: null, syntactic: null, regionKind: null };
  const profile = profileOf(path, entry.profile);
  const frames = framesOf(entry, profile);
  const input: FrameInput = {
    path,
    base,
    candidate: file.candidate,
    regions: file.regions.map((region) => regionOf(region, profile)),
    parse,
  };
  const run = (check: (input: FrameInput) => readonly FrameHit[]) =>
    guarded(path, () => check(input));
  const { tokens, syntactic } = profile;
  return {
    lexical:
      frames.includes('lexical') && tokens ? run((given) => lexicalHits(given, tokens)) : null,
    syntactic: frames.includes('syntactic') && syntactic ? run(syntactic) : null,
    regionKind: kindReasons(profile, input),
  };
}

/** Each kind of region against its own rule; null where no kind of this file has one. */
function kindReasons({ regionKinds }: Profile, input: FrameInput): Reason[] | null {
  const kinds = [...new Set(input.regions.map(({ kind }) => kind))];
  const checked = kinds.flatMap((kind) => {
    const check = regionKinds[kind];
    const regions = input.regions.filter((region) => region.kind === kind);
    return check ? [guarded(input.path, () => check({ ...input, regions }))] : [];
  });
  return checked.length === 0 ? null : checked.flat();
}

const joined = (parts: readonly (Reason[] | null)[]) =>
  parts.every((part) => part === null) ? null : parts.flatMap((part) => part ?? []);

/**
 * Whether protected text still means what it meant: equal tokens, an equal skeleton, no captured name, and nothing in a region
 * that its kind does not allow. Source: contracts.md 7; the published contracts have no such rule.
 */
export function frameReasons(
  contract: Contract,
  allowed: readonly Allowed[],
  parse: Parse,
): Framed {
  const files = allowed.map((file) => fileFrames(file, parse));
  const isRegional = contract.editable.some(({ region }) => region !== undefined);
  if (!isRegional) return { lexical: null, syntactic: null, regionKind: null };
  return {
    lexical: joined(files.map(({ lexical }) => lexical)),
    syntactic: joined(files.map(({ syntactic }) => syntactic)),
    regionKind: joined(files.map(({ regionKind }) => regionKind)),
  };
}
