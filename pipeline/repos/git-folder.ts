import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../../stages/fault.ts';

/**
 * The repository folder of a clone, a worktree or a bare repository at exactly this path.
 * Found without git: git's own search would climb to a repository that merely lies around the folder.
 */
export async function gitFolder(path: string): Promise<string> {
  const top = await kindOf(path);
  if (top === null) throw new Fault(`source ${path} failed: no such folder`, UNREADABLE);
  if (top !== 'folder') throw notGit(path);
  const real = await realpath(path);
  const dotGit = join(real, '.git');
  const kind = await kindOf(dotGit);
  if (kind === 'folder') return dotGit;
  if (kind === 'file') return linked(real, await readFile(dotGit, 'utf8'));
  const bare = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => kindOf(join(real, name))),
  );
  if (bare.includes(null)) throw notGit(path);
  return real;
}

const UNREADABLE = { code: 'source-unreadable' } as const;

function linked(folder: string, text: string): string {
  const target = /^gitdir: (.+)\n?$/.exec(text)?.[1];
  if (target === undefined) throw notGit(folder);
  return resolve(folder, target);
}

const notGit = (path: string) =>
  new Fault(`source ${path} failed: not a git repository. Name the folder that holds .git.`, {
    code: 'source-not-git',
  });

async function kindOf(path: string): Promise<'folder' | 'file' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Fault(`source ${path} failed: ${code}`, { ...UNREADABLE, cause });
  }
}
