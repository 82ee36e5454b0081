import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { GitCommit, GitEntry, Repo } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { openObjects } from './cat-file.ts';
import { gitFolder } from './git-folder.ts';
import { LOG_FORMAT, parseLog, pieces } from './git-log.ts';
import { bindGit, expectZero, type Git, gitFault, locateGit, whenClosed } from './git-process.ts';
import { isRawPath, pathText } from './path-text.ts';

/** A repository on this disk: the port, the commit that HEAD names, and an end. Nothing is ever written to it. */
export type GitRepo = Repo & {
  readonly head: string;
  /** The full name of a commit; Faults `source-unborn`, `source-shallow`, `source-unreadable`. */
  find(ref: string): Promise<string>;
  /** The address that `origin` stands for in the repository's own settings, or null. */
  remote(): Promise<string | null>;
  close(): Promise<void>;
};

/** Open the clone, worktree or bare repository at `path`. */
export async function openGit({
  path,
  signal,
}: {
  readonly path: string;
  readonly signal?: AbortSignal;
}): Promise<GitRepo> {
  const git = bindGit(await locateGit(), await gitFolder(path), signal);
  const shallow = await shallowCommits(git);
  const lost = (what: string) => lostFault(path, what, shallow.size > 0);
  const find = (ref: string) => findCommit(git, ref, lost);
  const head = await find('HEAD');
  const objects = openObjects(git, (oid) => lost(`object ${oid}`));
  return {
    head,
    find,
    commits: (query) => commits(git, query, find, shallow),
    tree: async (commit) => listTree(git, await find(commit)),
    blob: objects.blob,
    blame: async (commit, file) => blame(git, await find(commit), file),
    remote: async () => {
      const { code, stdout } = await git.run(['config', '--local', '--get', 'remote.origin.url']);
      return code === 0 ? stdout.toString('utf8').trim() : null;
    },
    close: objects.close,
  };
}

async function shallowCommits(git: Git): Promise<ReadonlySet<string>> {
  const file = (await git.read(['rev-parse', '--git-path', 'shallow'])).toString('utf8').trim();
  try {
    return new Set((await readFile(resolve(git.gitDir, file), 'utf8')).split('\n').filter(Boolean));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

const lostFault = (path: string, what: string, shallow: boolean): Fault =>
  shallow
    ? new Fault(
        `${path} failed: ${what} is not in this shallow clone. Run "git fetch --unshallow".`,
        {
          code: 'source-shallow',
        },
      )
    : new Fault(`${path} failed: ${what} is not in this repository.`, {
        code: 'source-unreadable',
      });

async function findCommit(git: Git, ref: string, lost: (what: string) => Fault): Promise<string> {
  const name = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const found = await git.run(name);
  // rev-parse takes any 40 digits for a name; only a look at the object tells whether it is there.
  if (found.code === 0) return found.stdout.toString('latin1').trim();
  const branch = ref === 'HEAD' ? await git.run(['symbolic-ref', '-q', 'HEAD']) : null;
  if (branch?.code === 0) throw unborn(branch.stdout.toString('utf8').trim());
  throw lost(`commit ${ref}`);
}

const unborn = (branch: string) =>
  new Fault(`source failed: ${branch} has no commit yet. Commit something or check out a branch.`, {
    code: 'source-unborn',
  });

const logArgs = (max: number, hash: string): readonly string[] => [
  'log',
  '--first-parent',
  '--diff-merges=first-parent',
  '-z',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--no-mailmap',
  '--no-notes',
  '--ignore-submodules=none',
  '--encoding=UTF-8',
  LOG_FORMAT,
  ...(Number.isFinite(max) ? [`--max-count=${max}`] : []),
  '--end-of-options',
  hash,
  '--',
];

async function* commits(
  git: Git,
  { ref, max }: { readonly ref: string; readonly max: number },
  find: (ref: string) => Promise<string>,
  shallow: ReadonlySet<string>,
): AsyncGenerator<GitCommit> {
  const hash = await find(ref);
  const count = await git.read([
    'rev-list',
    '--count',
    '--first-parent',
    '--end-of-options',
    hash,
    '--',
  ]);
  let position = Number(count.toString('latin1'));
  const args = logArgs(max, hash);
  const child = git.start(args);
  const closed = whenClosed(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  child.stdin.end();
  try {
    for await (const commit of parseLog(child.stdout)) {
      if (shallow.has(commit.hash)) throw cut(commit.hash, Number(count) - position);
      position -= 1;
      yield { ...commit, position };
    }
    expectZero(await closed, args, stderr);
  } finally {
    child.kill();
    await closed;
  }
}

/** At the edge of a shallow clone a commit looks like a root that adds every file; its change is unknown. */
const cut = (hash: string, complete: number) =>
  new Fault(
    `history failed: shallow clone, the parent of ${hash} is missing. Run "git fetch --unshallow", or ask for at most ${complete} commits.`,
    { code: 'source-shallow' },
  );

async function listTree(git: Git, commit: string): Promise<readonly GitEntry[]> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  const child = git.start(args);
  const closed = whenClosed(child);
  child.stdin.end();
  child.stderr.resume();
  const entries: GitEntry[] = [];
  for await (const piece of pieces(child.stdout)) {
    const tab = piece.indexOf(9);
    const [mode = '', , oid = ''] = piece.toString('latin1', 0, tab).split(' ');
    entries.push({ mode, oid, path: pathText(piece.subarray(tab + 1)) });
  }
  expectZero(await closed, args, `tree of ${commit} unreadable`);
  return entries;
}

/**
 * Follows first parents only, so that a line merged with a branch belongs to the merge, as the mined changes do.
 * The text is not needed: of each line's record only the head is kept.
 */
async function blame(git: Git, commit: string, file: string): Promise<readonly string[]> {
  if (isRawPath(file)) throw gitFault(['blame'], `the path ${JSON.stringify(file)} is not UTF-8`);
  const output = await git.read([
    'blame',
    '--porcelain',
    '--first-parent',
    '--no-textconv',
    '--no-progress',
    '--ignore-revs-file=',
    commit,
    '--',
    file,
  ]);
  const heads = output.toString('latin1').split('\n');
  return heads.flatMap((line) => /^([0-9a-f]{40,64}) \d+ \d+( \d+)?$/.exec(line)?.[1] ?? []);
}
