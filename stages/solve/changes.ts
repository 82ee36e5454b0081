import type { TreeEntry } from '../../schemas/tree.ts';

export type Blobs = { get(sha256: string): Uint8Array; put(bytes: Uint8Array): string };

/** A tree by path. */
export type Base = ReadonlyMap<string, TreeEntry>;

/** New bytes by path; null takes the path away. */
export type Changes = Map<string, Uint8Array | null>;

/** Why a proposal makes no candidate: a code of the closed list and one line. */
export type Refused = { readonly ok: false; readonly code: string; readonly detail: string };

/** A refusal with a code of the proposal group. */
export const refuse = (code: string, detail: string): Refused => ({
  ok: false,
  code: `proposal.${code}`,
  detail,
});

/** Whether an entry has text that can be edited; links, submodules and folders have none. */
export const isFile = (entry: TreeEntry | undefined): entry is TreeEntry =>
  entry !== undefined && (entry.kind === 'file' || entry.kind === 'exec');

const halfPair = /\p{Cs}/u;
const encoder = new TextEncoder();

/** Text as UTF-8, or null when it holds half a surrogate pair, which UTF-8 cannot say. */
export const bytesOf = (text: string): Uint8Array | null =>
  halfPair.test(text) ? null : encoder.encode(text);
