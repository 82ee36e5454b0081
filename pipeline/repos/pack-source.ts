import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../stages/fault.ts';
import { openGit } from './git.ts';
import { bindGit, locateGit } from './git-process.ts';
import { makeOnce } from './make-once.ts';
import { packFault, readPack, readPackFile } from './pack.ts';
import { describeSource, type OpenSource } from './source.ts';

const PACKS = fileURLToPath(new URL('../../seeds', import.meta.url));

/** The folder of a pack: a bare name is one of ours, anything with a slash is a path. */
export const packFolder = (name: string): string =>
  /[/\\]|^\.+$/.test(name) ? resolve(name) : join(PACKS, name);

/** `pack:NAME-or-path`: its history imported into a bare repository, once for equal bytes. */
export const packSource: OpenSource = async (name, options) => {
  const place = packFolder(name);
  if (!existsSync(join(place, 'pack.json'))) throw await noPack(name, place);
  const pack = await readPack(place);
  const stream = await readPackFile(pack.folder, pack.history);
  const path = await importOnce(stream, join(pack.folder, pack.history), options);
  const repo = await openGit({ path, ...(options.signal ? { signal: options.signal } : {}) });
  const { licenceFiles } = await describeSource('pack', name, pack.name, repo);
  return {
    source: {
      name: pack.name,
      kind: 'pack',
      origin: name,
      url: null,
      head: repo.head,
      licence: pack.licence,
      licenceFiles,
    },
    repo,
    threads: join(pack.folder, pack.threads),
    pack,
    close: repo.close,
  };
};

async function noPack(name: string, place: string): Promise<Fault> {
  const names = (await readdir(PACKS)).toSorted().join(', ');
  const message = `source "pack:${name}" failed: no pack.json in ${place}. Bundled packs: ${names}; a pack of your own is named by its path.`;
  return new Fault(message, { code: 'pack-unreadable' });
}

type Place = { readonly cache: string; readonly signal?: AbortSignal | undefined };

async function importOnce(stream: Buffer, file: string, { cache, signal }: Place): Promise<string> {
  const digest = createHash('sha256').update(stream).digest('hex').slice(0, 24);
  const folder = join(cache, 'packs', `${digest}.git`);
  return await makeOnce(resolve(folder), async (half) => {
    await mkdir(half, { recursive: true });
    const git = bindGit(await locateGit(), half, signal);
    await git.read(['init', '--quiet', '--template=', '--initial-branch=main']);
    const { code, stderr } = await git.run(['fast-import', '--quiet'], stream);
    if (code !== 0) throw packFault(file, stderr.trim().split('\n')[0] ?? `exit ${code}`);
    await git.read(['symbolic-ref', 'HEAD', await mainBranch(git, file)]);
  });
}

/** `main`, else `master`, else the only branch. */
async function mainBranch(git: ReturnType<typeof bindGit>, file: string): Promise<string> {
  const listed = await git.read(['for-each-ref', '--format=%(refname)', 'refs/heads']);
  const branches = listed.toString('utf8').split('\n').filter(Boolean);
  const usual = ['refs/heads/main', 'refs/heads/master'].find((name) => branches.includes(name));
  const found = usual ?? (branches.length === 1 ? branches[0] : undefined);
  if (found === undefined) throw packFault(file, `no branch "main" among ${branches.length}`);
  return found;
}
