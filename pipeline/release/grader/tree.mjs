// A folder as entries of a tree. Nothing is followed, and no git is asked.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** A folder that holds something no tree can hold; `code` is one of the `tree.*` reasons. */
export class TreeProblem extends Error {
  constructor(code, path) {
    super(`${code} ${JSON.stringify(path)}`);
    this.code = code;
    this.path = path;
  }
}

function nameOf(bytes, folder) {
  const name = bytes.toString('utf8');
  if (!Buffer.from(name, 'utf8').equals(bytes)) throw new TreeProblem('tree.path', folder + name);
  return name;
}

function fileKind(path, stat) {
  if (!stat.isFile()) throw new TreeProblem('tree.kind', path);
  if (stat.nlink > 1) throw new TreeProblem('tree.hardlink', path);
  if (stat.mode & 0o7000) throw new TreeProblem('tree.mode', path);
  return stat.mode & 0o111 ? 'exec' : 'file';
}

function leaf(full, path, stat) {
  const kind = stat.isSymbolicLink() ? 'link' : fileKind(path, stat);
  const bytes = kind === 'link' ? readlinkSync(full, 'buffer') : readFileSync(full);
  return { path, kind, size: bytes.length, sha256: sha256(bytes) };
}

/**
 * Everything below `root`, less its own `.git` and what `isDiscarded` names. A folder is an entry where it is empty;
 * one whose content was all discarded is none.
 */
export function entriesOf(root, isDiscarded, folder = '') {
  return readdirSync(`${root}/${folder}`, { encoding: 'buffer' }).flatMap((bytes) => {
    const path = folder + nameOf(bytes, folder);
    const full = `${root}/${path}`;
    if (path === '.git' || isDiscarded(path)) return [];
    const stat = lstatSync(full);
    if (!stat.isDirectory()) return [leaf(full, path, stat)];
    if (readdirSync(full).length > 0) return entriesOf(root, isDiscarded, `${path}/`);
    return [{ path, kind: 'dir', size: 0, sha256: sha256('') }];
  });
}
