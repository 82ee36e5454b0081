import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { simpleGit } from 'simple-git';
import { Fault } from '../../stages/fault.ts';
import { makeOnce } from './make-once.ts';

/** What `git clone` takes as an address; everything else is a path. */
export const isUrl = (text: string): boolean =>
  /^(https?|ssh|git|file):\/\//.test(text) || /^[\w.-]+@[\w.-]+:(?!\/\/)/.test(text);

/** An address without user name, password and query, fit to be printed and kept. */
export const publicUrl = (url: string): string =>
  url.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1').replace(/\?.*$/, '');

type CloneOptions = {
  readonly cache: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
};

/**
 * A bare clone below the cache, made once and then found again, so that a resumed run sees the same history.
 * Runs with the user's own settings, since access, proxies and certificates are there; no hook can run,
 * because nothing is checked out and no template is copied.
 */
export async function cloneOnce(url: string, options: CloneOptions): Promise<string> {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 24);
  const folder = join(options.cache, 'clones', `${name}.git`);
  return await makeOnce(folder, (half) => clone(url, half, options));
}

async function clone(url: string, folder: string, { signal, onProgress }: CloneOptions) {
  let last = '';
  const git = simpleGit({
    // simple-git refuses --template as a way to bring hooks in; the empty one is what keeps them out.
    unsafe: { allowUnsafeTemplateDir: true },
    ...(signal === undefined ? {} : { abort: signal }),
    progress: ({ stage, progress }) => {
      const line = `clone ${publicUrl(url)}: ${stage} ${progress}%`;
      if (line !== last) onProgress?.(line);
      last = line;
    },
  });
  const failure = await git.clone(url, folder, ['--bare', '--template=']).then(
    () => null,
    (error: unknown) => String(error instanceof Error ? error.message : error),
  );
  if (failure === null) return;
  signal?.throwIfAborted();
  // The error is not passed on as a cause: its text may hold the address with a password in it.
  throw cloneFault(publicUrl(url), failure.replaceAll(url, publicUrl(url)));
}

function cloneFault(url: string, reason: string): Fault {
  const line = reason.split('\n').findLast((text) => text.startsWith('fatal')) ?? reason.trim();
  return new Fault(`clone of ${url} failed: ${line}. Check the address and your access.`, {
    code: 'source-unreadable',
    retryable: true,
  });
}
