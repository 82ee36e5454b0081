import { join } from 'node:path';
import { Fault } from '../../stages/fault.ts';
import { steadyClock } from '../steady-clock.ts';
import { openParts } from './github/archive-parts.ts';
import { collectThreads } from './github/collect.ts';
import { openGithub, placeOf } from './github/open.ts';
import { describeSource, type OpenSource, openPlace } from './source.ts';

/** `github:owner/name`: its threads by its interface, kept as an archive in the run's folder, and its history by a clone. */
export const githubSource: OpenSource = async (place, options) => {
  const { owner, name } = placeOf(place);
  if (options.folder === undefined)
    throw new Fault(`github:${place} failed: no run to keep its archive in. Name one with --run.`, {
      code: 'source-unreadable',
    });
  const tell = options.onProgress ?? (() => undefined);
  const signal = options.signal ?? new AbortController().signal;
  const parts = openParts(join(options.folder, 'threads', `${owner}+${name}`.toLowerCase()));
  const { since = null, endpoint } = options.github ?? {};
  // An archive that is complete is read again without a request.
  const known = parts.load();
  const state =
    known?.phase === 'done' && known.since === since
      ? known
      : await collectThreads(
          { owner, name, since },
          {
            host: openGithub({
              endpoint,
              clock: options.github?.clock ?? steadyClock,
              signal,
              tell,
            }),
            parts,
            signal,
            tell,
          },
        );
  if (state.repository.toLowerCase() !== `${owner}/${name}`.toLowerCase())
    tell(`GitHub: ${owner}/${name} is called ${state.repository} now`);
  const where = options.repo ?? state.url;
  const repo = await openPlace(where, options);
  const described = await describeSource('github', `${owner}/${name}`, where, repo);
  return {
    source: { ...described, name: name.toLowerCase().replace(/^[^a-z0-9]+/u, '') || 'source' },
    repo,
    threads: parts.archive,
    pack: null,
    problems: state.problems,
    close: repo.close,
  };
};
