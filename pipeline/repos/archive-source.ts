import { Fault } from '../../stages/fault.ts';
import { describeSource, type OpenSource, openPlace } from './source.ts';

/** `archive:threads.jsonl`, mined again offline against the repository named beside it. */
export const archiveSource: OpenSource = async (file, options) => {
  if (options.repo === undefined) {
    throw new Fault(`archive ${file} failed: no repository named. Give it with --repo PATH.`, {
      code: 'source-unreadable',
    });
  }
  const repo = await openPlace(options.repo, options);
  return {
    source: await describeSource('archive', file, options.repo, repo),
    repo,
    threads: file,
    pack: null,
    close: repo.close,
  };
};
