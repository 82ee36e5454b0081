import type { PinnedBuild } from '../../schemas/contract.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { parseManifest } from '../../stages/contract/manifest.ts';

type Blobs = { get(sha256: string): Uint8Array };

/** What a candidate's tree becomes in the work folder. */
export type ExpectedTree = {
  /** The candidate's own entries. */
  readonly entries: readonly TreeEntry[];
  /** What must lie there, by path: its entries, with overlay and mounts over them, without what lies in scratch folders. */
  readonly laid: ReadonlyMap<string, TreeEntry>;
  /** Paths that belong to the build: scratch and what is below it. */
  isScratch(path: string): boolean;
};

const plain = (digest: string) => digest.replace(/^sha256:/u, '');
const covers = (above: string, path: string) => path === above || path.startsWith(`${above}/`);

/** Read-only trees that lie below a path of their own, for instance installed packages. */
const mounted = ({ mounts }: PinnedBuild, blobs: Blobs): TreeEntry[] =>
  mounts.flatMap(({ path, manifest }) =>
    parseManifest(blobs.get(plain(manifest))).map((entry) => ({
      ...entry,
      path: `${path}/${entry.path}`,
    })),
  );

const overlaid = ({ overlay }: PinnedBuild, blobs: Blobs): TreeEntry[] =>
  overlay.map(({ path, sha256 }) => ({
    path,
    kind: 'file',
    sha256: plain(sha256),
    size: blobs.get(plain(sha256)).length,
  }));

/** The candidate with what B_C lays over it. What stands in the way of that is hidden, as a mount would hide it. */
export function expectedTree(
  entries: readonly TreeEntry[],
  build: PinnedBuild,
  blobs: Blobs,
): ExpectedTree {
  const scratch = build.writable.map(({ path }) => path);
  const over = [...mounted(build, blobs), ...overlaid(build, blobs)];
  const places = [
    ...scratch,
    ...build.mounts.map(({ path }) => path),
    ...build.overlay.map(({ path }) => path),
  ];
  const isHidden = ({ path }: TreeEntry) =>
    places.some((place) => covers(place, path) || covers(path, place));
  const laid = new Map(
    [...entries.filter((entry) => !isHidden(entry)), ...over].map((entry) => [entry.path, entry]),
  );
  return { entries, laid, isScratch: (path) => scratch.some((place) => covers(place, path)) };
}
