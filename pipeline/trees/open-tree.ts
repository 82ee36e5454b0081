import { Fault } from '../../stages/fault.ts';
import { flagError } from '../config/usage-problem.ts';
import { readDirectory } from './read-directory.ts';
import { type GitTrees, openGitTrees } from './read-git-tree.ts';
import type { NoTree, ReadOptions, TreeOnHand } from './tree-on-hand.ts';

/** Trees by the words of the command line: a folder, or `git:REPO@OBJECT`. `flag` gave the words, and is named where they are wrong. */
export type Trees = {
  open(place: string, options: ReadOptions, flag?: string): Promise<TreeOnHand | NoTree>;
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
    async open(place, options, flag = 'DIR') {
      const [, path, object] = gitPlace.exec(place) ?? [];
      if (path !== undefined && object !== undefined)
        return await gitTree(repository(path), place, object, { options, flag });
      if (place.startsWith('git:'))
        throw flagError(flag, 'git:REPO@OBJECT, such as git:.@HEAD', `"${place}"`);
      return await folderTree(place, { options, flag });
    },
    async close() {
      for (const opened of repositories.values()) await (await opened.catch(() => null))?.close();
    },
  };
}

type Asked = { readonly options: ReadOptions; readonly flag: string };

/** A place that names nothing is the user's mistake and no fault of the world. */
async function gitTree(
  opened: Promise<GitTrees>,
  place: string,
  object: string,
  { options, flag }: Asked,
) {
  try {
    return await (await opened).tree(object, options);
  } catch (error) {
    const isMissing = error instanceof Fault && /^source-/u.test(error.code);
    if (!isMissing) throw error;
    throw flagError(
      flag,
      'git:REPO@OBJECT with a commit or tree that is there',
      `"${place}" (${error.message})`,
    );
  }
}

async function folderTree(place: string, { options, flag }: Asked): Promise<TreeOnHand | NoTree> {
  try {
    return await readDirectory(place, options);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') throw cause;
    throw flagError(flag, 'a folder that can be read, or git:REPO@OBJECT', `"${place}" (${code})`);
  }
}
