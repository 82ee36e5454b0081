import type { Requirement } from '../../schemas/requirement.ts';
import type { Task } from '../../schemas/task.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { contractInWords } from '../contract/explain.ts';
import { anyGlob } from '../contract/globs.ts';
import { parseManifest } from '../contract/manifest.ts';
import { entryIds, spansOf } from '../contract/regions.ts';
import { lineEndOf, utf8 } from '../contract/text.ts';

type Read = (sha256: string) => Uint8Array;
type Shown = { readonly label: string; readonly text: string };

/** All that a solver gets to see. It is made of the statement, the contract and the base alone: no gold, no hidden test. */
export type SolverView = {
  readonly statement: string;
  readonly contract: string;
  readonly files: readonly Shown[];
  /** Present bodies of the regions that may be replaced; empty when whole files may change. */
  readonly regions: readonly Shown[];
  /** One line for each path that exists and is not shown. */
  readonly listing: string;
};

const fileLimit = 96 * 1024;
/** Most bytes of files that a solver is shown. */
export const viewLimit = 320 * 1024;
const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|uv\.lock)$/u;

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const isText = ({ kind }: TreeEntry) => kind === 'file' || kind === 'exec';

/** Files in the order in which they deserve room: editable ones, then their neighbours, then the rest, each by path. */
function ranked(task: Task, entries: readonly TreeEntry[]): TreeEntry[] {
  const editable = new Set(task.contract.editable.map(({ file }) => file));
  const folders = new Set([...editable].map(folderOf));
  const rank = ({ path }: TreeEntry) =>
    editable.has(path) ? 0 : folders.has(folderOf(path)) ? 1 : 2;
  return entries.toSorted((left, right) => rank(left) - rank(right));
}

const labelOf = (path: string, bytes: Uint8Array) =>
  lineEndOf(bytes) === 'crlf' ? `${path} (lines end with \\r\\n; write them so)` : path;

type Room = { left: number };

function shownText(entry: TreeEntry, room: Room, read: Read): Shown | string {
  if (!isText(entry)) return `a ${entry.kind}`;
  if (lockFile.test(entry.path)) return 'a lock file';
  if (entry.size > fileLimit) return `${entry.size} bytes, too large to show`;
  if (entry.size > room.left) return `${entry.size} bytes`;
  const bytes = read(entry.sha256);
  const text = bytes.includes(0) ? null : utf8(bytes);
  if (text === null) return 'not text';
  room.left -= entry.size;
  return { label: labelOf(entry.path, bytes), text };
}

/**
 * The base's visible files. Where the grader lays a hidden test the base's own text is not shown either: it is about to be replaced.
 */
function filesOf(
  task: Task,
  entries: readonly TreeEntry[],
  read: Read,
): { files: Shown[]; listing: string } {
  const hidden = new Set(task.tests.overlay.map(({ path }) => path));
  const isIn = anyGlob(task.contract.visible.include);
  const isOut = anyGlob(task.contract.visible.exclude);
  const visible = entries.filter(({ path }) => isIn(path) && !isOut(path));
  const room: Room = { left: viewLimit };
  const files: Shown[] = [];
  const named: string[] = [];
  for (const entry of ranked(task, visible)) {
    const { path } = entry;
    const shown = hidden.has(path)
      ? 'a test that the grader replaces'
      : shownText(entry, room, read);
    if (typeof shown === 'string') named.push(`${path} (${shown})`);
    else files.push(shown);
  }
  return { files, listing: named.join('\n') };
}

function regionsOf({ contract }: Task, entries: readonly TreeEntry[], read: Read): Shown[] {
  const ids = entryIds(contract);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return contract.editable.flatMap((entry, at) => {
    const file = byPath.get(entry.file);
    if (entry.region === undefined || file === undefined) return [];
    const bytes = read(file.sha256);
    const spans = spansOf([{ id: ids[at] ?? '', entry }], bytes);
    if ('code' in spans)
      throw new Error(`contract unfit for its base: ${spans.code} in ${spans.path}.`);
    return spans.map(({ id, start, end }) => ({
      label: `${id} in ${entry.file}`,
      text: utf8(bytes.subarray(start, end)) ?? '',
    }));
  });
}

/** What a solver of the whole task sees. */
export function solverView(task: Task, read: Read): SolverView {
  const entries = parseManifest(read(task.base.tree));
  return {
    statement: task.statement,
    contract: contractInWords(task.contract),
    regions: regionsOf(task, entries, read),
    ...filesOf(task, entries, read),
  };
}

/** One requirement as the statement writes it: title, clauses, and the names that tests may rely on. */
export function requirementText({ id, title, clauses, interface: names }: Requirement): string {
  const lines = clauses.map((clause) => `- ${clause.id}: ${clause.text}`);
  const pinned =
    names.length > 0
      ? ['', 'Names and values to keep to:', ...names.map((name) => `- ${name}`)]
      : [];
  return [`${id}. ${title}`, '', ...lines, ...pinned].join('\n');
}
