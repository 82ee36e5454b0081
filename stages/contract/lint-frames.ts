import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { frameReasons, framesOf } from './frames.ts';
import type { DeclarationSpan, Profile } from './profiles/profile.ts';
import { profileOf } from './profiles/registry.ts';
import type { Allowed } from './projection.ts';
import { type Editable, entryIds, spansOf } from './regions.ts';
import { declarationsOf } from './target.ts';

type Tree = ReadonlyMap<string, TreeEntry>;
type World = {
  readonly tree: Tree;
  readonly read: (sha256: string) => Uint8Array;
  readonly parse: Parse;
};

const reason = (code: string, path: string | null, detail: string): Reason => ({
  code: `contract.${code}`,
  path,
  at: null,
  detail,
});

function missingFrames(entry: Editable, profile: Profile): string[] {
  const asked = framesOf(entry, profile);
  const { frame, region_kind: kind } = entry;
  return [
    ...(asked.includes('lexical') && profile.tokens === null ? ['no lexical frame'] : []),
    ...(asked.includes('syntactic') && profile.syntactic === null ? ['no syntactic frame'] : []),
    ...(profile.tokens === null && frame === undefined
      ? ['no frame at all; write frame: [] to go on without']
      : []),
    ...(kind !== undefined && !(kind in profile.regionKinds) ? [`no region kind "${kind}"`] : []),
  ];
}

function frameGaps({ editable }: Contract): Reason[] {
  return editable.flatMap((entry) => {
    if (entry.region === undefined) return [];
    const profile = profileOf(entry.file, entry.profile);
    return missingFrames(entry, profile).map((gap) =>
      reason('frame-unavailable', entry.file, `profile ${profile.name} has ${gap}`),
    );
  });
}

/** The files with regions as if a candidate had left them as they are. */
function unchanged(contract: Contract, { tree, read }: World): Allowed[] {
  const ids = entryIds(contract);
  const entries = contract.editable.map((entry, at) => ({ id: ids[at] ?? '', entry }));
  return [...new Set(contract.editable.map(({ file }) => file))].flatMap((path): Allowed[] => {
    const file = tree.get(path);
    const own = entries.filter(({ entry }) => entry.file === path);
    if (file === undefined || own[0]?.entry.region === undefined) return [];
    const base = read(file.sha256);
    const spans = spansOf(own, base);
    if ('code' in spans) return [];
    const regions = spans.map((span) => ({
      span,
      start: span.start,
      bytes: base.subarray(span.start, span.end),
    }));
    return [{ path, entry: own[0].entry, base, candidate: base, bodies: regions, regions }];
  });
}

/** A frame that the base itself does not meet would refuse every candidate: the region lies across a token or a statement. */
function unfitFrames(contract: Contract, world: World): Reason[] {
  const framed = frameReasons(contract, unchanged(contract, world), world.parse);
  const met = [...(framed.lexical ?? []), ...(framed.syntactic ?? [])];
  return met.map(({ path, detail }) =>
    reason('frame-unavailable', path, `the base does not meet it: ${detail}`),
  );
}

function holdsRegion(
  contract: Contract,
  file: string,
  { start, end }: DeclarationSpan,
  world: World,
): boolean {
  const own = unchanged(contract, world).find(({ path }) => path === file);
  return (
    own === undefined ||
    own.regions.some((region) => region.start >= start && region.start + region.bytes.length <= end)
  );
}

function targetGaps(contract: Contract, world: World): Reason[] {
  return (contract.target?.declarations ?? []).flatMap((target): Reason[] => {
    const what = `the ${target.kind} "${target.name}"`;
    const found = declarationsOf(target, world.tree, world.read, world.parse);
    if (found === null)
      return [
        reason(
          'frame-unavailable',
          target.file,
          `no declarations can be found in files of its profile (${what})`,
        ),
      ];
    const [only] = found;
    if (only === undefined || found.length > 1)
      return [
        reason(
          'target-missing',
          target.file,
          `${what} is declared ${found.length} times in the base, expected once`,
        ),
      ];
    const isEditable = contract.editable.some(
      ({ file, region }) => file === target.file && region !== undefined,
    );
    if (!isEditable || holdsRegion(contract, target.file, only, world)) return [];
    return [reason('target-missing', target.file, `no region lies inside ${what}`)];
  });
}

/** Whether frames and target can be held at all on this base. Source: contracts.md 2.4. */
export function lintFrames(contract: Contract, world: World): Reason[] {
  const gaps = frameGaps(contract);
  const unfit = gaps.length > 0 ? gaps : unfitFrames(contract, world);
  return [...unfit, ...targetGaps(contract, world)];
}
