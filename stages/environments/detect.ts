import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { TreeFile } from './recipe.ts';
import { recipes } from './registry.ts';

/** A spec, or a rejection's code and detail. */
export type Detection =
  | { readonly found: true; readonly spec: EnvironmentSpec }
  | {
      readonly found: false;
      readonly code: 'unsupported-language';
      readonly detail: string;
    };

/** Find how a tree's tests are run: the recipe that the most test files speak for. Never throws. */
export function detectEnvironment(files: readonly TreeFile[]): Detection {
  const answers = Object.values(recipes).map(({ name, detect }) => ({ name, ...detect(files) }));
  const fitting = answers.flatMap((answer) => (answer.fits ? [answer] : []));
  const [best] = fitting.toSorted((left, right) => right.testFiles - left.testFiles);
  if (best !== undefined) return { found: true, spec: best.spec };
  const reasons = answers.map((answer) => `${answer.name}: ${answer.fits ? '' : answer.reason}`);
  return {
    found: false,
    code: 'unsupported-language',
    detail: `no recipe fits (${reasons.join('; ')}). Describe the environment in a file and pass it with --env.`,
  };
}
