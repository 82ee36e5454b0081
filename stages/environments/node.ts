import { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from './glob.ts';
import { nodeInstall } from './node-install.ts';
import { NODE_RUNNERS, nodeRunner, runnerArgs, runnerEnv } from './node-runner.ts';
import { readPackage } from './package-json.ts';
import { type Detected, type Recipe, type TreeFile, textOf } from './recipe.ts';

const SCRIPT = '{js,mjs,cjs,jsx,ts,mts,cts,tsx}';
const TEST_FILES = [
  '**/{test,tests,__tests__,__snapshots__,__mocks__}/**',
  `**/*.{test,spec}.${SCRIPT}`,
  `**/{*-test,*_test,test}.${SCRIPT}`,
];
const SOURCE_FILES = [`**/*.${SCRIPT}`];
function detect(files: readonly TreeFile[]): Detected {
  const scripts = files.filter(({ path }) => matchesAny(path, SOURCE_FILES));
  const tests = scripts.filter(({ path }) => matchesAny(path, TEST_FILES));
  if (tests.length === 0)
    return { fits: false, reason: 'no test files in JavaScript or TypeScript' };
  const known = readPackage(textOf(files, 'package.json') ?? '{}');
  if (known === null) return { fits: false, reason: 'package.json is no JSON object' };
  const runner = nodeRunner(known, tests);
  if (runner === null) {
    return { fits: false, reason: `none of node:test, ${NODE_RUNNERS.join(', ')} is in use` };
  }
  const install = nodeInstall(files, known);
  const isTyped = scripts.some(
    ({ path }) => /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path),
  );
  const spec = EnvironmentSpec.parse({
    environment: 1,
    language: isTyped ? 'typescript' : 'javascript',
    runner,
    testFiles: TEST_FILES,
    sourceFiles: SOURCE_FILES,
    install,
    paths: install.length === 0 ? [] : ['{deps}/node_modules/.bin'],
    args: runnerArgs(runner, known.testScript),
    env: runnerEnv(runner, known.testScript),
  });
  return { fits: true, spec, testFiles: tests.length };
}

/** Node with node:test, vitest, jest, mocha or ava. */
export const node: Recipe = { name: 'node', detect };
