import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestOf, sha256 } from '../../stages/contract/canonical-json.ts';
import { matchesAny } from '../../stages/environments/glob.ts';
import { type TarEntry, tar } from '../../stages/exporters/tar.ts';
import { Fault } from '../../stages/fault.ts';
import { failedWith } from '../sandboxes/host/world.ts';

const MAX_BYTES = 512 * 1024 ** 2;
/** Never part of a context: what git keeps, and what an image installs anew. */
const NEVER = ['.git', '.git/**', '**/node_modules', '**/node_modules/**'];

/** A Dockerfile with the files beside it. `digest` names the bytes, kinds and paths of all, and nothing of this machine. */
export type BuildContext = {
  readonly archive: Uint8Array;
  readonly dockerfile: string;
  readonly digest: string;
};

type Rule = { readonly globs: readonly string[]; readonly isKept: boolean };

/** Lines of .dockerignore in their order: the last that matches decides; a folder's name means all below it. */
function rulesOf(text: string): Rule[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const path = line
        .replace(/^!/, '')
        .replace(/^\.?\//, '')
        .replace(/\/$/, '');
      return { globs: [path, `${path}/**`], isKept: line.startsWith('!') };
    });
}

function isLeftOut(path: string, rules: readonly Rule[]): boolean {
  return rules.findLast(({ globs }) => matchesAny(path, globs))?.isKept === false;
}

async function textIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return '';
    throw error;
  }
}

async function entryOf(root: string, path: string, isLink: boolean): Promise<TarEntry> {
  const file = join(root, path);
  if (isLink) return { path, kind: 'link', bytes: Buffer.from(await readlink(file)) };
  const [bytes, { mode }] = await Promise.all([readFile(file), stat(file)]);
  return { path, kind: (mode & 0o111) === 0 ? 'file' : 'exec', bytes };
}

type Found = { readonly path: string; readonly isLink: boolean };

/** Files and links below a folder, without what is never sent. */
async function* filesBelow(root: string, folder = ''): AsyncGenerator<Found> {
  for (const found of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? found.name : `${folder}/${found.name}`;
    const isLink = found.isSymbolicLink();
    if (matchesAny(path, NEVER)) continue;
    if (found.isDirectory()) yield* filesBelow(root, path);
    else if (found.isFile() || isLink) yield { path, isLink };
  }
}

async function entriesBelow(root: string, rules: readonly Rule[]): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  let size = 0;
  for await (const { path, isLink } of filesBelow(root)) {
    if (isLeftOut(path, rules)) continue;
    const entry = await entryOf(root, path, isLink);
    size += entry.bytes.length;
    if (size > MAX_BYTES) throw tooLarge(root);
    entries.push(entry);
  }
  return entries;
}

const tooLarge = (root: string) =>
  new Fault(
    `Build context failed: more than ${MAX_BYTES / 1024 ** 2} MB in ${root}. Leave files out by a .dockerignore.`,
    { code: 'environment-failed' },
  );

/** Read a Dockerfile and the folder it lies in, as `docker build` would send them; `.dockerignore` is honoured. */
export async function readContext(file: string): Promise<BuildContext> {
  const [root, dockerfile] = [dirname(file), basename(file)];
  const rules = rulesOf(await textIfThere(join(root, '.dockerignore')));
  const found = await entriesBelow(root, rules);
  const own = found.some(({ path }) => path === dockerfile);
  const entries = own ? found : [...found, await entryOf(root, dockerfile, false)];
  const named = entries
    .map(({ path, kind, bytes }) => [path, kind, sha256(bytes)])
    .toSorted(([left = ''], [right = '']) => (left < right ? -1 : 1));
  return { archive: tar(entries), dockerfile, digest: digestOf({ dockerfile, files: named }) };
}
