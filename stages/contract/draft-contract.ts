import type { Contract } from '../../schemas/contract.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { anyGlob } from './globs.ts';
import { byPathBytes } from './manifest.ts';
import { isNeverEditable } from './never-editable.ts';
import { ancestorsOf } from './paths.ts';

type Draft = {
  readonly id: string;
  /** Digest of the base tree's manifest, and its entries. */
  readonly base: string;
  readonly entries: readonly TreeEntry[];
  /** Paths at which gold and base differ. */
  readonly goldPaths: readonly string[];
  readonly testGlobs: readonly string[];
  readonly sourceGlobs: readonly string[];
  /** Regions for the `body` interface, by whole marker lines; empty for whole files. */
  readonly regions: readonly {
    readonly file: string;
    readonly start: string;
    readonly end: string;
  }[];
};

type Drafted = { readonly contract: Contract; readonly warnings: readonly string[] };

const folderOf = (path: string) => ancestorsOf(path).at(-1) ?? '';
const extensionOf = (path: string) => /\.[^./]+$/u.exec(path)?.[0] ?? '';
const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);
const leastBytes = 65536;

/** Packs that an ordinary task forbids. `suppress` and `io` are left out: right solutions use what they name. */
const packsByLanguage = {
  ts: ['ts/skip', 'ts/exit', 'ts/reflect', 'ts/env'],
  py: ['py/skip', 'py/exit', 'py/reflect', 'py/env'],
} as const;

function packsFor(paths: readonly string[]): string[] {
  const isPython = paths.some((path) => /\.pyi?$/u.test(path));
  const isScript = paths.some((path) => /\.[cm]?[jt]sx?$/u.test(path));
  return [...(isScript ? packsByLanguage.ts : []), ...(isPython ? packsByLanguage.py : [])];
}

/** What every drafted contract has in common. */
function frame({ id, base }: Draft, packs: string[]) {
  return {
    contract: 1 as const,
    id,
    base: { manifest: `sha256:${base}` },
    create: [],
    delete: [],
    override: [],
    forbidden: { packs, baseline: 'tolerate' as const, scope: 'file' as const },
    order: 'contract-first' as const,
    limits: { attempts: 1, candidate_bytes: 33554432 },
    visible: { include: ['**'], exclude: [] },
  };
}

function regionContract(draft: Draft): Drafted {
  const editable = draft.regions.map(({ file, start, end }, at) => ({
    id: `r${at + 1}`,
    file,
    region: { start, end },
    max_bytes: leastBytes,
  }));
  const packs = packsFor(draft.regions.map(({ file }) => file));
  return { contract: { ...frame(draft, packs), editable, interface: 'body' }, warnings: [] };
}

const isText = ({ kind }: TreeEntry) => kind === 'file' || kind === 'exec';

/** Source files that may be edited: all of the folders that gold touches, or of the whole base where that is gold alone. */
function widened(draft: Draft, touched: readonly string[]): TreeEntry[] {
  const isSource = anyGlob(draft.sourceGlobs);
  const isTest = anyGlob(draft.testGlobs);
  const sources = draft.entries.filter(
    (entry) =>
      isText(entry) && isSource(entry.path) && !isTest(entry.path) && !isNeverEditable(entry.path),
  );
  const folders = new Set(touched.map(folderOf));
  const near = sources.filter(({ path }) => folders.has(folderOf(path)));
  const leaks = near.every(({ path }) => touched.includes(path));
  return leaks ? sources : near;
}

const globsOf = (touched: readonly string[]) =>
  [...new Set(touched.map((path) => inFolder(folderOf(path), `*${extensionOf(path)}`)))]
    .toSorted(byPathBytes)
    .map((glob) => ({ glob, max_files: 2, max_bytes: leastBytes }));

function warningsOf(
  goldPaths: readonly string[],
  touched: readonly string[],
  editable: readonly string[],
): string[] {
  const blocked = goldPaths.filter((path) => !touched.includes(path));
  const isGold = editable.length > 0 && editable.every((path) => touched.includes(path));
  return [
    ...(isGold ? ["contract.leaks-reference: the editable files are exactly gold's"] : []),
    ...blocked.map(
      (path) => `contract.protected-path: gold changes "${path}", which no contract may give away`,
    ),
  ];
}

function wholeFileContract(draft: Draft): Drafted {
  const isTest = anyGlob(draft.testGlobs);
  const touched = draft.goldPaths.filter((path) => !isTest(path) && !isNeverEditable(path));
  const own = draft.entries.filter((entry) => isText(entry) && touched.includes(entry.path));
  const files = new Map([...widened(draft, touched), ...own].map((entry) => [entry.path, entry]));
  const editable = [...files.values()]
    .toSorted((left, right) => byPathBytes(left.path, right.path))
    .map(({ path, size }, at) => ({
      id: `r${at + 1}`,
      file: path,
      whole_file: true as const,
      max_bytes: Math.max(leastBytes, 2 * size),
    }));
  const paths = editable.map(({ file }) => file);
  const packs = packsFor([...paths, ...touched]);
  const contract: Contract = {
    ...frame(draft, packs),
    editable,
    create: globsOf(touched),
    interface: 'edits',
  };
  return {
    contract,
    warnings: warningsOf(
      draft.goldPaths.filter((path) => !isTest(path)),
      touched,
      paths,
    ),
  };
}

/**
 * The edit authority of an ordinary task: every unprotected source file of the folders that gold touches, and new files there,
 * so that the contract, which solvers see, does not give the reference away. With regions: just their bodies.
 * Gold's tests are the overlay's business and get no authority.
 */
export function draftContract(draft: Draft): Drafted {
  return draft.regions.length > 0 ? regionContract(draft) : wholeFileContract(draft);
}
