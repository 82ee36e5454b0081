import { Fault } from '../../stages/fault.ts';
import { flagError } from '../config/usage-problem.ts';
import { readDirectory } from './read-directory.ts';
import { type GitTrees, openGitTrees } from './read-git-tree.ts';
import type { NoTree, ReadOptions, TreeOnHand } from './tree-on-hand.ts';

/** Trees by the words of the command line: a folder, or `git:REPO@OBJECT`. */
export type Trees = {
  open(place: string, options: ReadOptions): Promise<TreeOnHand | NoTree>;
  close(): Promise<void>;
};

const gitPlace = /^git:(.+)@([^@]+)$/su;

/** A reader of trees that opens each repository once. */
export function openTrees(): Trees {
  const repositories = new Map<string, Promise<GitTrees>>();
  const repository = (path: string) => {
    const known = repositories.get(path) ?? openGitTrees(path);
    repositories.set(path, known);
    return known;
  };
  return {
    async open(place, options) {
      const [, path, object] = gitPlace.exec(place) ?? [];
      if (path !== undefined && object !== undefined)
        return await gitTree(repository(path), place, object, options);
      return await folderTree(place, options);
    },
    async close() {
      for (const opened of repositories.values()) await (await opened.catch(() => null))?.close();
    },
  };
}

/** A place that names nothing is the user's mistake and no fault of the world. */
async function gitTree(
  opened: Promise<GitTrees>,
  place: string,
  object: string,
  options: ReadOptions,
) {
  try {
    return await (await opened).tree(object, options);
  } catch (error) {
    const isMissing = error instanceof Fault && /^source-/u.test(error.code);
    if (!isMissing) throw error;
    throw flagError(
      'DIR',
      'git:REPO@OBJECT with a commit or tree that is there',
      `"${place}" (${error.message})`,
    );
  }
}

async function folderTree(place: string, options: ReadOptions): Promise<TreeOnHand | NoTree> {
  try {
    return await readDirectory(place, options);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') throw cause;
    throw flagError('DIR', 'a folder that can be read, or git:REPO@OBJECT', `"${place}" (${code})`);
  }
}
