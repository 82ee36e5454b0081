import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AuthoredDraft, DraftFile } from '../../schemas/seed-pack.ts';
import { readYaml } from '../config/read-yaml.ts';
import { isUsageError } from '../config/usage-problem.ts';
import { type Pack, packFault, parsePackFile, readPackFile } from './pack.ts';

type Put = (bytes: Uint8Array) => string;
type Files = AuthoredDraft['solos'][number]['files'];
type ReadDraft = (folder: string) => Promise<AuthoredDraft>;

/** The drafts of a pack in the order it names them; bytes go through `put` and travel as digests. */
export async function readDrafts(pack: Pack, put: Put): Promise<readonly AuthoredDraft[]> {
  const read: ReadDraft = (folder) => readDraft(pack, folder, put);
  const drafts: AuthoredDraft[] = [];
  for (const folder of pack.drafts) drafts.push(await read(folder));
  const twice = drafts.find(({ id }, at) => drafts.findIndex((other) => other.id === id) < at);
  if (twice) throw packFault(join(pack.folder, 'pack.json'), `drafts: "${twice.id}" occurs twice`);
  return drafts;
}

async function readDraft(pack: Pack, folder: string, put: Put): Promise<AuthoredDraft> {
  const name = join(folder, 'draft.yaml');
  const file = join(pack.folder, name);
  const text = new TextDecoder().decode(await readPackFile(pack.folder, name));
  const draft = parsePackFile(DraftFile, draftYaml(text, file), file);
  const files = (dir: string) => readFolder(pack.folder, join(folder, dir), put);
  const authored = {
    id: draft.id,
    base: draft.base,
    requirements: draft.requirements.map(quoted),
    couplings: draft.couplings,
    parts: await inOrder(draft.parts, async ({ dir, ...part }) => ({
      ...part,
      files: await files(dir),
    })),
    tests: {
      files: await files(draft.tests.dir),
      traces: Object.entries(draft.tests.traces).map(([test, clauses]) => ({ test, clauses })),
    },
    solos: await inOrder(draft.solos, async ({ requirement, dir }) => ({
      requirement,
      files: await files(dir),
    })),
    probes: await inOrder(draft.probes, async ({ id, clause, file: probe, path }) => ({
      id,
      clause,
      path,
      sha256: put(await readPackFile(pack.folder, join(folder, probe))),
    })),
    variants: await inOrder(draft.variants, async ({ id, claim, dir }) => ({
      id,
      claim,
      files: await files(dir),
    })),
    regions: draft.regions,
  };
  return parsePackFile(AuthoredDraft, authored, file);
}

/** The name of a quoted document; the seed is known only once the threads are mined. */
const quoted = ({ clauses, ...requirement }: DraftFile['requirements'][number]) => ({
  ...requirement,
  clauses: clauses.map(({ quotes, ...clause }) => ({
    ...clause,
    quotes: quotes.map(({ thread, comment, quote }) => ({
      doc: comment === undefined ? `thread:${thread}` : `thread:${thread}#${comment}`,
      quote,
      seed: '',
    })),
  })),
});

/** Every file below a folder of the pack, sorted by path. Anything but files and folders is refused. */
async function readFolder(pack: string, folder: string, put: Put): Promise<Files> {
  const files: Files = [];
  for (const path of await listFolder(join(pack, folder))) {
    files.push({ path, sha256: put(await readPackFile(pack, join(folder, path))) });
  }
  return files;
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const odd = found.find((entry) => !entry.isFile() && !entry.isDirectory());
    if (odd) throw packFault(join(odd.parentPath, odd.name), 'neither a file nor a folder');
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code?.startsWith('E') ? packFault(folder, code, cause) : cause;
  }
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The value of a draft file; what its reader calls the user's mistake is the pack's here. */
function draftYaml(text: string, file: string): unknown {
  try {
    return readYaml(text, file).value;
  } catch (cause) {
    throw isUsageError(cause)
      ? packFault(file, cause.message.replaceAll('\n', '; '), cause)
      : cause;
  }
}
