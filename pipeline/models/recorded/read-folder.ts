import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Recording } from '../../../schemas/recording.ts';
import { digestOf, sha256 } from '../../../stages/contract/canonical-json.ts';
import { Fault } from '../../../stages/fault.ts';
import { readJson } from '../json-text.ts';

const SUMS = 'SHA256SUMS';

function damaged(path: string, reason: string): Fault {
  return new Fault(
    `Recording ${path} is damaged: ${reason}. Restore the folder from where it came; a recording is never edited.`,
    { code: 'pack-unreadable' },
  );
}

function readSums(folder: string): Map<string, string> {
  const path = join(folder, SUMS);
  if (!existsSync(path)) throw damaged(path, 'it is missing');
  const sums = new Map<string, string>();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined) throw damaged(path, `no sum in "${line}"`);
    sums.set(name, sum);
  }
  return sums;
}

function checked(folder: string, name: string, sum: string | undefined): Uint8Array {
  const path = join(folder, name);
  if (sum === undefined) throw damaged(path, `${SUMS} does not list it`);
  if (!existsSync(path)) throw damaged(path, `${SUMS} lists it and it is missing`);
  const bytes = readFileSync(path);
  if (sha256(bytes) !== sum) throw damaged(path, `its bytes are not the ones of ${SUMS}`);
  return bytes;
}

function parsed(path: string, bytes: Uint8Array): Recording {
  const json = readJson(new TextDecoder().decode(bytes));
  const recording = Recording.safeParse(json.ok ? json.value : null);
  if (!recording.success) throw damaged(path, 'it does not meet the schema of recordings');
  if (digestOf(recording.data.request) !== recording.data.requestSha256) {
    throw damaged(path, 'its request has another digest than it says');
  }
  return recording.data;
}

const isRecording = (name: string) => /^[0-9a-f]{64}\.json$/.test(name);

/**
 * Every recording of a folder, every file checked against `SHA256SUMS` first. A folder that is not there holds none.
 * Throws `pack-unreadable` naming the file that is damaged, missing or not listed.
 */
export function readRecordings(folder: string): Recording[] {
  if (!existsSync(folder)) return [];
  const sums = readSums(folder);
  const present = readdirSync(folder).filter((name) => name !== SUMS);
  const names = [...new Set([...sums.keys(), ...present])].toSorted();
  return names.flatMap((name) => {
    const bytes = checked(folder, name, sums.get(name));
    return isRecording(name) ? [parsed(join(folder, name), bytes)] : [];
  });
}
