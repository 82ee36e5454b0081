import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

type Content = string | Uint8Array;

/** One commit: files written (null removes), on `branch`, merging another branch's tip when `merges` says so. */
export type TempCommit = {
  readonly message: string;
  readonly files?: Readonly<
    Record<string, Content | { readonly mode: string; readonly data: Content } | null>
  >;
  readonly branch?: string;
  readonly from?: string;
  readonly merges?: string;
  readonly author?: string;
};

const bytes = (content: Content): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);

/** A folder that is gone when the test ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codespecweave-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Git as a plain user runs it, but with no settings and fixed names and dates. */
export function git(cwd: string, args: readonly string[], input?: Uint8Array): string {
  return execFileSync('git', args, {
    cwd,
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.invalid',
      GIT_AUTHOR_DATE: '1700000000 +0000',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.invalid',
      GIT_COMMITTER_DATE: '1700000000 +0000',
    },
  }).toString('utf8');
}

/** A history as a `git fast-import` stream; commit n is one hour later than commit n - 1. */
export function historyStream(commits: readonly TempCommit[]): Buffer {
  const parts: Buffer[] = [];
  commits.forEach(({ message, files = {}, branch = 'main', from, merges, author = 'Ada' }, at) => {
    const when = `<${author.toLowerCase().replace(/\W+/g, '')}@example.invalid> ${1700000000 + at * 3600} +0000`;
    const text = bytes(message);
    parts.push(
      bytes(`commit refs/heads/${branch}\nauthor ${author} ${when}\ncommitter ${author} ${when}\n`),
    );
    parts.push(bytes(`data ${text.length}\n`), text, bytes('\n'));
    if (from) parts.push(bytes(`from refs/heads/${from}\n`));
    if (merges) parts.push(bytes(`merge refs/heads/${merges}\n`));
    for (const [path, content] of Object.entries(files)) parts.push(change(path, content));
    parts.push(bytes('\n'));
  });
  return Buffer.concat(parts);
}

function change(
  path: string,
  content: Content | { readonly mode: string; readonly data: Content } | null,
): Buffer {
  const name = `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  // Paths in a test's history are written as Latin-1, so that a test can name bytes that are no UTF-8.
  const line = (text: string) =>
    Buffer.concat([bytes(text), Buffer.from(name, 'latin1'), bytes('\n')]);
  if (content === null) return line('D ');
  const plain = typeof content === 'string' || content instanceof Uint8Array;
  const { mode, data } = plain ? { mode: '100644', data: content } : content;
  if (mode === '160000') return line(`M 160000 ${String(data)} `);
  const body = bytes(data);
  return Buffer.concat([
    line(`M ${mode} inline `),
    bytes(`data ${body.length}\n`),
    body,
    bytes('\n'),
  ]);
}

/** A bare repository with this history, gone when the test ends. */
export function tempRepo(commits: readonly TempCommit[]): string {
  const path = join(tempFolder(), 'limiter.git');
  mkdirSync(path);
  git(path, ['init', '--quiet', '--bare', '--initial-branch=main', '--template=']);
  git(path, ['fast-import', '--quiet'], historyStream(commits));
  return path;
}
