import { Fault } from '../../stages/fault.ts';
import { archiveSource } from './archive-source.ts';
import { gitSource } from './git-source.ts';
import { githubSource } from './github-source.ts';
import { packSource } from './pack-source.ts';
import type { OpenedSource, OpenSource, SourceOptions } from './source.ts';

/** Every kind of source, by the word before the colon. */
export const sources = {
  git: gitSource,
  github: githubSource,
  archive: archiveSource,
  pack: packSource,
} satisfies Record<string, OpenSource>;

/** Open `git:PATH-OR-URL`, `github:owner/name`, `archive:threads.jsonl` or `pack:NAME-or-path`. Faults only. */
export async function openSource(spec: string, options: SourceOptions): Promise<OpenedSource> {
  const colon = spec.indexOf(':');
  const kind = spec.slice(0, Math.max(colon, 0));
  const open = Object.entries(sources).find(([name]) => name === kind)?.[1];
  if (open === undefined || colon === spec.length - 1) {
    const known = Object.keys(sources).map((name) => `${name}:…`);
    throw new Fault(`source "${spec}" failed: expected ${known.join(', ')}.`, {
      code: 'source-unreadable',
    });
  }
  return open(spec.slice(colon + 1), options);
}
