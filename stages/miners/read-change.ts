import type { FileChange } from '../../schemas/seed.ts';
import type { Repo } from '../context.ts';
import { type LineDiff, lineDiff } from '../weave/line-diff.ts';

/** A changed file with its two sides and the lines in which they differ; a binary file has no lines. */
export type ReadChange = {
  readonly change: FileChange;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly binary: boolean;
  readonly lines: LineDiff;
};

/** Read both sides of changed files. */
export const readChanges = (
  repo: Repo,
  changes: readonly FileChange[],
): Promise<readonly ReadChange[]> => Promise.all(changes.map((change) => readChange(repo, change)));

const LFS = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\n');

/** Bytes that are no text, or stand for a file that lies elsewhere: what a pointer of LFS says is not what changed. */
const isOpaque = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 8000).includes(0) || LFS.every((byte, at) => bytes[at] === byte);

async function readChange(repo: Repo, change: FileChange): Promise<ReadChange> {
  const [before, after] = await Promise.all(
    [change.before, change.after].map((oid) => (oid === null ? null : repo.blob(oid))),
  );
  const sides = { change, before: before ?? null, after: after ?? null };
  const binary = [sides.before, sides.after].some((bytes) => bytes && isOpaque(bytes));
  if (binary) return { ...sides, binary, lines: { added: [], removed: [] } };
  return { ...sides, binary, lines: lineDiff(textOf(sides.before), textOf(sides.after)) };
}

/** Bytes as text, line breaks untouched; what is no UTF-8 shows as replacement characters, which changes no line's number. */
export const textOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The lines that the changes brought. */
export const addedLines = (reads: readonly ReadChange[]): readonly string[] =>
  reads.flatMap(({ after, lines }) => {
    const text = textOf(after)?.split('\n') ?? [];
    return lines.added.map((line) => text[line - 1] ?? '');
  });
