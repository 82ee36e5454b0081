import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from '../contract/canonical-json.ts';
import { globPattern } from '../contract/globs.ts';
import { parseManifest } from '../contract/manifest.ts';
import type { Asset, ExportOptions } from './exporter.ts';
import { rewardGroups } from './groups.ts';
import { type TarEntry, tar } from './tar.ts';
import { asciiJson, byText, utf8 } from './text.ts';

/** The same words as the sandboxes pin for every run, so that an exported run sees the world it was proved in. */
export const pinnedEnv = {
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  CI: '1',
  NO_COLOR: '1',
  SOURCE_DATE_EPOCH: '1700000000',
} as const;

const droppings: Record<EnvironmentSpec['language'], readonly string[]> = {
  python: ['**/__pycache__/**', '.pytest_cache/**'],
  javascript: ['node_modules/**'],
  typescript: ['node_modules/**'],
  go: [],
  rust: ['**/target/**'],
  java: ['**/target/**'],
};

/** The base tree's entries, in manifest order. */
export const baseEntries = (input: ReleaseInput): readonly TreeEntry[] =>
  parseManifest(input.read(input.task.base.tree));

/**
 * Globs of what tools leave in a work folder: collected by nobody, judged by nobody. A glob that meets a path of the base is
 * left out, for what the base holds is protected.
 */
export function discardGlobs(input: ReleaseInput): string[] {
  const paths = baseEntries(input).map(({ path }) => path);
  return droppings[input.environment.spec.language].filter((glob) => {
    const pattern = globPattern(glob);
    return !paths.some((path) => pattern.test(path));
  });
}

/** Entries of the base archive; a submodule is an empty folder, as it is on disk. */
export function baseTarEntries(input: ReleaseInput): TarEntry[] {
  return baseEntries(input).map(({ path, kind, sha256: content }) =>
    kind === 'dir' || kind === 'gitlink'
      ? { path, kind: 'dir', bytes: new Uint8Array() }
      : { path, kind, bytes: input.read(content) },
  );
}

/** The base tree as an archive: the bytes that a grader starts from, in the image and beside it. */
export const baseTar = (input: ReleaseInput): Uint8Array => tar(baseTarEntries(input));

/** The contract as a grader reads it: the authority itself, the base it speaks of, and what is not judged. */
export function lockText(input: ReleaseInput): string {
  const { task } = input;
  const lock = {
    lock: 1,
    base_tar: { sha256: sha256(baseTar(input)), manifest: task.base.tree },
    contract: task.contract,
    discard: discardGlobs(input).map((glob) => ({ glob, pattern: globPattern(glob).source })),
    base: baseEntries(input).map(({ path, kind, size, sha256: content }) => [
      path,
      kind,
      size,
      content,
    ]),
  };
  return `${asciiJson(lock, 1)}\n`;
}

const fileOf = (id: string) => id.split(/ > |::/u)[0] ?? id;

/** One test that passes on the base: it must pass in the grader's own box before any candidate is judged there. */
function controlOf(input: ReleaseInput, files: readonly string[]) {
  const regression = rewardGroups(input.instance).find(({ key }) => key === 'p2p');
  const ids = regression?.ids.filter((id) => files.includes(fileOf(id))) ?? [];
  const id = ids.find((one) => input.task.tests.regression.includes(fileOf(one))) ?? ids[0] ?? null;
  // Without such a test the whole suite must at least run to its end on the base.
  return { id, files: id === null ? files : [fileOf(id)] };
}

/** Test files of the suite that the base or the hidden tests hold; a runner stops at one that is not there. */
function suiteFiles(input: ReleaseInput): string[] {
  const { files, regression, overlay } = input.task.tests;
  const there = new Set([...baseEntries(input), ...overlay].map(({ path }) => path));
  return [...new Set([...files, ...regression])].filter((file) => there.has(file)).toSorted(byText);
}

/** Expected ids by reward key, and how the suite is run. */
function testsText(input: ReleaseInput, { assets }: ExportOptions): string {
  const { tests } = input.task;
  const { spec } = input.environment;
  const files = suiteFiles(input);
  const control = controlOf(input, files);
  const argv = (chosen: readonly string[]) => assets.suiteArgv(spec, chosen, '{run}/report');
  const groups = rewardGroups(input.instance).map(({ key, ids }) => [key, ids]);
  const value = {
    tests: 1,
    groups: Object.fromEntries(groups),
    overlay: tests.overlay.toSorted((left, right) => byText(left.path, right.path)),
    control: { id: control.id, files: control.files, argv: argv(control.files) },
    suite: {
      runner: spec.runner,
      files,
      argv: argv(files),
      pinned: pinnedEnv,
      env: spec.env,
      paths: spec.paths,
      timeout_s: spec.timeoutS,
    },
  };
  return `${asciiJson(value, 1)}\n`;
}

/** Everything that judges a candidate of this task: the same files, byte for byte, in every format. Sorted by path. */
export function graderBundle(input: ReleaseInput, options: ExportOptions): Asset[] {
  const { assets } = options;
  const hidden = input.task.tests.overlay.map(({ path, sha256: content }) => ({
    path: `hidden/${path}`,
    bytes: input.read(content),
  }));
  const reporters = assets.reporters[input.environment.spec.runner];
  const files: Asset[] = [
    ...assets.grader,
    ...reporters.map(({ path, bytes }) => ({ path: `reporters/${path}`, bytes })),
    ...hidden,
    { path: 'lock.json', bytes: utf8(lockText(input)) },
    { path: 'tests.json', bytes: utf8(testsText(input, options)) },
  ];
  return files.toSorted((left, right) => byText(left.path, right.path));
}

/** The name of a bundle: SHA-256 over `hex  path` lines of its files. */
export const bundleSha = (bundle: readonly Asset[]): string =>
  sha256(bundle.map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`).join(''));
