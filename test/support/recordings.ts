import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completionOf } from '../../pipeline/models/completion-of.ts';
import type { ModelRequest } from '../../schemas/completion.ts';
import type { Recording } from '../../schemas/recording.ts';
import { digestOf, sha256 } from '../../stages/contract/canonical-json.ts';

/** A recorded answer by an unnamed reader. */
export const recordingOf = (request: ModelRequest, text: string): Recording => ({
  recording: 1,
  requestSha256: digestOf(request),
  request,
  completion: completionOf({ text, provider: 'mailbox', modelRequested: 'inbox' }),
  provenance: { through: 'mailbox', answeredBy: 'reader-1', answeredAt: '2026-01-02T03:04:05Z' },
});

/** Lays a folder of recordings with its sums; returns the names of the recordings. */
export function layRecordings(folder: string, recordings: readonly Recording[]): string[] {
  mkdirSync(folder, { recursive: true });
  const files = recordings.map((recording) => ({
    name: `${recording.requestSha256}.json`,
    text: JSON.stringify(recording),
  }));
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  const sums = files.map(({ name, text }) => `${sha256(text)}  ${name}\n`).join('');
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  return files.map(({ name }) => name);
}
