import { describeSource, type OpenSource, openPlace } from './source.ts';

/** `git:PATH-OR-URL`, with an archive of threads beside it or without. */
export const gitSource: OpenSource = async (place, options) => {
  const repo = await openPlace(place, options);
  return {
    source: await describeSource('git', place, place, repo),
    repo,
    threads: options.threads ?? null,
    pack: null,
    close: repo.close,
  };
};
