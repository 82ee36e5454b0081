import type { Reason } from '../../schemas/contract-report.ts';
import { Fault } from '../../stages/fault.ts';
import { type ReadOptions, readDirectory } from './read-directory.ts';
import { type GitTrees, openGitTrees } from './read-git-tree.ts';
import type { NoTree, TreeOnHand } from './tree-on-hand.ts';

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
        return await (await repository(path)).tree(object);
      return await folderTree(place, options);
    },
    async close() {
      for (const opened of repositories.values()) await (await opened.catch(() => null))?.close();
    },
  };
}

async function folderTree(place: string, options: ReadOptions): Promise<TreeOnHand | NoTree> {
  try {
    return await readDirectory(place, options);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') throw cause;
    throw new Fault(
      `tree failed: "${place}" is no folder that can be read (${code}). Name a folder, or git:REPO@OBJECT.`,
      {
        code: 'source-unreadable',
        cause,
      },
    );
  }
}

/** The problems of a tree that is none, in words. */
export const problemsInWords = (problems: readonly Reason[]): string =>
  problems.map(({ code, path, detail }) => `${code} ${path}: ${detail}`).join('; ');
