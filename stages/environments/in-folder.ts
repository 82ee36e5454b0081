import { EnvironmentSpec } from '../../schemas/environment.ts';
import type { TreeFile } from './recipe.ts';

/** Files by which a folder says that it is a package of its own. */
const MANIFEST =
  /^(.+)\/(package\.json|pyproject\.toml|setup\.(py|cfg)|requirements\.txt|go\.mod|Cargo\.toml|pom\.xml)$/;
const NEVER = /(^|\/)(node_modules|vendor|fixtures?|testdata|examples?)(\/|$)/;

/** Folders below the root that are packages of their own, sorted, without those that only serve tests or were copied in. */
export function packageFolders(files: readonly TreeFile[]): string[] {
  const folders = files.flatMap(({ path }) => MANIFEST.exec(path)?.[1] ?? []);
  return [...new Set(folders)].filter((folder) => !NEVER.test(folder)).toSorted();
}

/** The files of a folder, as a tree of their own. */
export const filesIn = (files: readonly TreeFile[], folder: string): TreeFile[] =>
  files.flatMap(({ path, read }) =>
    path.startsWith(`${folder}/`) ? [{ path: path.slice(folder.length + 1), read }] : [],
  );

const WORKDIR = '{workdir}';

/** A spec that was found in a folder, as the whole tree has to be told it. */
export function inFolder(spec: EnvironmentSpec, folder: string): EnvironmentSpec {
  const placed = (text: string) => text.replaceAll(WORKDIR, `${WORKDIR}/${folder}`);
  const below = (globs: readonly string[]) => globs.map((glob) => `${folder}/${glob}`);
  const env = Object.entries(spec.env).map(([name, value]) => [name, placed(value)]);
  return EnvironmentSpec.parse({
    ...spec,
    testFiles: below(spec.testFiles),
    sourceFiles: below(spec.sourceFiles),
    install: spec.install.map((step) => ['env', '-C', folder, ...step.map(placed)]),
    env: Object.fromEntries(env),
    workdir: folder,
  });
}
