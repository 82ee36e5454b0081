import type { EnvironmentSpec } from '../../schemas/environment.ts';
import { filesIn, inFolder, packageFolders } from './in-folder.ts';
import type { Detected, TreeFile } from './recipe.ts';
import { recipes } from './registry.ts';

/** A spec, or a rejection's code and detail. */
export type Detection =
  | { readonly found: true; readonly spec: EnvironmentSpec }
  | {
      readonly found: false;
      readonly code: 'unsupported-language';
      readonly detail: string;
    };

type Answer = Detected & { readonly name: string };
type Fitting = Extract<Detected, { fits: true }>;

const ask = (files: readonly TreeFile[]): Answer[] =>
  Object.values(recipes).map(({ name, detect }) => ({ name, ...detect(files) }));

const bestOf = (answers: readonly Detected[]): Fitting | undefined =>
  answers
    .flatMap((answer) => (answer.fits ? [answer] : []))
    .toSorted((left, right) => right.testFiles - left.testFiles)[0];

/** What the recipes find in the tree's packages, where its root is none: each as the whole tree has to be told it. */
const inPackages = (files: readonly TreeFile[]): Detected[] =>
  packageFolders(files).flatMap((folder) => {
    const best = bestOf(ask(filesIn(files, folder)));
    return best === undefined ? [] : [{ ...best, spec: inFolder(best.spec, folder) }];
  });

/**
 * Find how a tree's tests are run: the recipe that the most test files speak for, at the root, else in the package with the most
 * test files. Never throws.
 */
export function detectEnvironment(files: readonly TreeFile[]): Detection {
  const answers = ask(files);
  const best = bestOf(answers) ?? bestOf(inPackages(files));
  if (best !== undefined) return { found: true, spec: best.spec };
  const reasons = answers.map((answer) => `${answer.name}: ${answer.fits ? '' : answer.reason}`);
  return {
    found: false,
    code: 'unsupported-language',
    detail: `no recipe fits (${reasons.join('; ')}). Describe the environment in a file and pass it with --env.`,
  };
}
