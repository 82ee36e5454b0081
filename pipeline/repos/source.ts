import { basename, resolve } from 'node:path';
import type { Source } from '../../schemas/source.ts';
import type { Clock } from '../../stages/context.ts';
import { cloneOnce, isUrl, publicUrl } from './clone.ts';
import { type GitRepo, openGit } from './git.ts';
import { readLicence } from './licence.ts';
import type { Pack } from './pack.ts';

/** A source ready to be mined. `threads` is the path of its archive; null: commit messages must do. */
export type OpenedSource = {
  readonly source: Source;
  readonly repo: GitRepo;
  readonly threads: string | null;
  readonly pack: Pack | null;
  /** What a host could not say, by place; absent where nothing was asked online. */
  readonly problems?: readonly string[];
  close(): Promise<void>;
};

export type SourceOptions = {
  /** Folder for clones and imported packs; made when needed. */
  readonly cache: string;
  /** Archive of threads beside a `git:` source. */
  readonly threads?: string | undefined;
  /** Path or address of the repository that an `archive:` belongs to. */
  readonly repo?: string | undefined;
  /** The run's own folder, where what was read online is kept. */
  readonly folder?: string | undefined;
  readonly github?: {
    /** Address of another host than github.com. */
    readonly endpoint?: string | null | undefined;
    /** Only threads that changed at this time or later. */
    readonly since?: string | null | undefined;
    readonly clock?: Clock | undefined;
  };
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
};

/** How one kind of source is opened; `rest` is what follows the first colon. */
export type OpenSource = (rest: string, options: SourceOptions) => Promise<OpenedSource>;

/** A local path is read where it is; an address is cloned once below the cache. */
export async function openPlace(place: string, options: SourceOptions): Promise<GitRepo> {
  const path = isUrl(place) ? await cloneOnce(place, options) : resolve(place);
  return openGit({ path, ...(options.signal ? { signal: options.signal } : {}) });
}

/** The name, the licence and the public address of an opened repository. */
export async function describeSource(
  kind: Source['kind'],
  origin: string,
  place: string,
  repo: GitRepo,
): Promise<Source> {
  const address = isUrl(place) ? place : await repo.remote();
  return {
    name: nameOf(place),
    kind,
    origin: isUrl(origin) ? publicUrl(origin) : origin,
    url:
      address !== null && isUrl(address) && !address.startsWith('file:')
        ? publicUrl(address)
        : null,
    head: repo.head,
    ...(await readLicence(repo, repo.head)),
  };
}

/** The last part of a path or address, in the letters that a name may have. */
function nameOf(place: string): string {
  const last = basename(isUrl(place) ? place.replace(/[?#].*$/, '') : resolve(place));
  const plain = last
    .replace(/\.git$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-');
  return plain.replace(/^[^a-z0-9]+/, '').slice(0, 64) || 'source';
}
