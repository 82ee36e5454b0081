import type { FileChange, Seed } from '../../schemas/seed.ts';
import type { GitEntry, Repo } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';

type Content = string | Uint8Array;
/** A commit's files: a text, bytes, or a git mode with its content. */
export type CommitFiles = Readonly<Record<string, Content | readonly [string, Content]>>;

const bytesOf = (content: Content) => Buffer.from(content);
const refuse = () => Promise.reject(new Error('not asked for'));

/** A history in memory, commit n being named `c` and n in forty characters; and the change of each as a seed. */
export function memoryRepo(commits: readonly CommitFiles[]) {
  const blobs = new Map<string, Uint8Array>();
  const trees = commits.map((files) =>
    Object.entries(files).map(([path, given]): GitEntry => {
      const isPlain = typeof given === 'string' || given instanceof Uint8Array;
      const [mode, content] = isPlain ? (['100644', given] as const) : given;
      const oid = sha256(bytesOf(content)).slice(0, 40);
      blobs.set(oid, bytesOf(content));
      return { path, mode, oid };
    }),
  );
  const hashOf = (at: number) => (at < 0 ? '' : `c${at}`.padEnd(40, '0'));
  const repo: Repo = {
    commits: () => {
      throw new Error('not asked for');
    },
    tree: (commit) => Promise.resolve(trees[Number(/^c(\d+?)0*$/.exec(commit)?.[1])] ?? []),
    blob: (oid) => Promise.resolve(blobs.get(oid) ?? new Uint8Array()),
    blame: refuse,
  };
  return { repo, hashOf, seed: (at: number) => seedOf(at, hashOf, trees) };
}

function seedOf(at: number, hashOf: (at: number) => string, trees: readonly GitEntry[][]): Seed {
  const [before, after] = [trees[at - 1] ?? [], trees[at] ?? []];
  const paths = [...new Set([...before, ...after].map(({ path }) => path))];
  const changes = paths.flatMap((path): FileChange[] => {
    const [old, fresh] = [before, after].map((tree) => tree.find((entry) => entry.path === path));
    if (old?.oid === fresh?.oid && old?.mode === fresh?.mode) return [];
    return [
      {
        path,
        before: old?.oid ?? null,
        after: fresh?.oid ?? null,
        beforeMode: old?.mode ?? null,
        afterMode: fresh?.mode ?? null,
      },
    ];
  });
  const below = (folder: string) => changes.filter(({ path }) => path.startsWith(folder));
  const text = `Number ${at} must be delivered`;
  return {
    id: `s${at}`,
    source: 'little',
    title: text,
    statements: [
      {
        kind: 'title',
        text,
        quote: text,
        doc: `thread:${at}`,
        start: 0,
        end: text.length,
        authorAssociation: 'NONE',
      },
    ],
    threads: [at],
    change: {
      base: hashOf(at - 1),
      head: hashOf(at),
      position: at,
      source: below('src/'),
      tests: below('test/'),
      other: changes.filter(({ path }) => !/^(src|test)\//.test(path)),
      symbols: [],
    },
    links: [],
    facts: {
      languages: ['typescript'],
      licence: 'MIT',
      createdAt: '2026-01-01T00:00:00Z',
      mergedAt: `2026-01-0${at + 1}T00:00:00Z`,
      bot: false,
      addedLines: 1,
      removedLines: 0,
      leaks: [],
    },
    rejections: [],
  };
}
