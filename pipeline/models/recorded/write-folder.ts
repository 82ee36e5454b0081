import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from '../../../schemas/recording.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { readRecordings } from './read-folder.ts';

const jobOf = ({ request }: Recording) => {
  const { role, entrant, subject, condition, replicate, attempt, reask } = request;
  return { role, entrant, subject, condition, replicate, attempt, reask };
};

/** One line a recording, so that a person finds an answer without reading them all. */
const lineOf = (recording: Recording) => ({
  ...jobOf(recording),
  finish: recording.completion.finish,
  ...recording.provenance,
  requestSha256: recording.requestSha256,
});

const sortKey = (recording: Recording) =>
  [...Object.values(jobOf(recording)), recording.requestSha256].join('\0');

/** Lines of sums by the name behind the sum. */
const byName = (left: string, right: string) => (left.slice(64) < right.slice(64) ? -1 : 1);

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Files of a folder of recordings by name; the sums come last and name all others. */
function filesOf(recordings: readonly Recording[]): Map<string, string> {
  const files = new Map(
    recordings.map((recording) => [`${recording.requestSha256}.json`, json(recording)]),
  );
  files.set('index.json', json(recordings.map(lineOf)));
  const sums = [...files].map(([name, text]) => `${sha256(text)}  ${name}\n`);
  return files.set('SHA256SUMS', sums.toSorted(byName).join(''));
}

/** The new folder is written whole beside the old one, so that a kill leaves one of the two. */
function replace(folder: string, files: ReadonlyMap<string, string>): void {
  const [draft, before] = [`${folder}.part`, `${folder}.before`];
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(draft, name), text);
  rmSync(before, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, before);
  renameSync(draft, folder);
  rmSync(before, { recursive: true, force: true });
}

/**
 * Adds recordings to a folder: one file each, `index.json`, and `SHA256SUMS` over all.
 * A recording that is there already stays as it is: the first answer to a request is the answer.
 * Throws `pack-unreadable` where the folder is damaged.
 */
export function writeRecordings(
  folder: string,
  recordings: readonly Recording[],
): { readonly added: number; readonly kept: number } {
  const held = readRecordings(folder);
  const known = new Set(held.map(({ requestSha256 }) => requestSha256));
  const added = recordings.filter(({ requestSha256 }) => !known.has(requestSha256));
  const all = [...held, ...added].toSorted((left, right) =>
    sortKey(left) < sortKey(right) ? -1 : 1,
  );
  if (added.length > 0) replace(folder, filesOf(all));
  return { added: added.length, kept: held.length };
}
