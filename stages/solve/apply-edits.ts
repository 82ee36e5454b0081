import type { EditsProposal } from '../../schemas/proposal.ts';
import { joinBytes, offsetsOf } from '../contract/bytes.ts';
import { collidingPaths, hardPathProblem, isPortable } from '../contract/paths.ts';
import {
  type Base,
  type Blobs,
  bytesOf,
  type Changes,
  isFile,
  type Refused,
  refuse,
} from './changes.ts';

type Edit = EditsProposal['edits'][number];
type Cut = { readonly start: number; readonly end: number; readonly text: Uint8Array };

const shown = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

function cutOf(file: Uint8Array, { file: path, find, replace }: Edit): Cut | Refused {
  const [needle, text] = [bytesOf(find), bytesOf(replace)];
  if (!needle || !text) return refuse('encoding', `an edit of "${path}" is not valid Unicode`);
  if (needle.length === 0) return refuse('edit-ambiguous', `an empty find in "${path}"`);
  const [start, second] = offsetsOf(file, needle, 2);
  const found = `in "${path}": ${shown(find)}`;
  if (start === undefined) return refuse('edit-missing', `a find that does not occur ${found}`);
  if (second !== undefined)
    return refuse('edit-ambiguous', `a find that occurs more than once ${found}`);
  return { start, end: start + needle.length, text };
}

/** One file with all its edits applied to the base at once. */
function editedFile(path: string, file: Uint8Array, edits: readonly Edit[]): Uint8Array | Refused {
  const cuts: Cut[] = [];
  for (const edit of edits) {
    const cut = cutOf(file, edit);
    if ('ok' in cut) return cut;
    cuts.push(cut);
  }
  cuts.sort((left, right) => left.start - right.start);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of cuts) {
    if (start < at) return refuse('edit-overlap', `two edits of "${path}" touch the same text`);
    parts.push(file.subarray(at, start), text);
    at = end;
  }
  return joinBytes([...parts, file.subarray(at)]);
}

function pathRefusal(base: Base, { edits, create, delete: gone }: EditsProposal): Refused | null {
  const named = [...edits.map(({ file }) => file), ...create.map(({ file }) => file), ...gone];
  const bad = named.find((path) => hardPathProblem(path) !== null);
  if (bad !== undefined) return refuse('path', `${shown(bad)} breaks the path rules`);
  const fresh = create.map(({ file }) => file).filter((path) => !base.has(path));
  const foreign = fresh.find((path) => !isPortable(path));
  if (foreign !== undefined) return refuse('path', `"${foreign}" cannot live on every file system`);
  const [clash] = collidingPaths([...base.keys()], fresh);
  if (clash !== undefined)
    return refuse('path', `"${clash}" differs from another path only in case or composition`);
  const absent = gone.find((path) => !base.has(path));
  return absent === undefined
    ? null
    : refuse('path', `"${absent}" is to be deleted and does not exist`);
}

function doubleRefusal({ edits, create, delete: gone }: EditsProposal): Refused | null {
  const whole = [...create.map(({ file }) => file), ...gone];
  const edited = new Set(edits.map(({ file }) => file));
  const twice = whole.find((path, at) => whole.indexOf(path) !== at || edited.has(path));
  return twice === undefined
    ? null
    : refuse('edit-overlap', `"${twice}" is named by more than one operation`);
}

/** The changes that an edits proposal makes. `create` of a path that exists is the same as writing it anew. */
export function applyEdits(base: Base, proposal: EditsProposal, blobs: Blobs): Changes | Refused {
  const refused = pathRefusal(base, proposal) ?? doubleRefusal(proposal);
  if (refused) return refused;
  const changes: Changes = new Map(proposal.delete.map((path) => [path, null]));
  for (const path of new Set(proposal.edits.map(({ file }) => file))) {
    const entry = base.get(path);
    if (!isFile(entry)) return refuse('edit-missing', `"${path}" is no file of the base`);
    const edits = proposal.edits.filter(({ file }) => file === path);
    const bytes = editedFile(path, blobs.get(entry.sha256), edits);
    if ('ok' in bytes) return bytes;
    changes.set(path, bytes);
  }
  for (const { file, text } of proposal.create) {
    const bytes = bytesOf(text);
    if (!bytes) return refuse('encoding', `the text of "${file}" is not valid Unicode`);
    changes.set(file, bytes);
  }
  return changes;
}
