import type { TreeEntry } from '../../schemas/tree.ts';
import type { GitEntry, Ledger, Repo } from '../context.ts';
import { keepFile, writeTree } from './trees.ts';

/** A commit's tree, read object by object and kept. `known` spares a second reading of equal objects. */
export async function importCommit(
  repo: Repo,
  commit: string,
  ledger: Ledger,
  known: Map<string, TreeEntry> = new Map(),
): Promise<string> {
  const entries: TreeEntry[] = [];
  // The base of a root commit has no name: nothing was there.
  for (const entry of commit === '' ? [] : await repo.tree(commit)) {
    const kept = known.get(entryKey(entry)) ?? (await importEntry(repo, entry, ledger));
    known.set(entryKey(entry), kept);
    entries.push({ ...kept, path: entry.path });
  }
  return writeTree(ledger, entries);
}

const entryKey = ({ mode, oid }: GitEntry): string => `${mode} ${oid}`;

async function importEntry(
  repo: Repo,
  { path, mode, oid }: GitEntry,
  ledger: Ledger,
): Promise<TreeEntry> {
  const text = new TextEncoder();
  if (mode === '160000') return keepFile(ledger, path, text.encode(oid), 'gitlink');
  const kind = mode === '120000' ? 'link' : mode === '100755' ? 'exec' : 'file';
  return keepFile(ledger, path, await repo.blob(oid), kind);
}
