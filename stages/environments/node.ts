import { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from './glob.ts';
import { nodeFlags, type Package, readPackage } from './package-json.ts';
import { type Detected, type Recipe, someText, type TreeFile, textOf } from './recipe.ts';

const SCRIPT = '{js,mjs,cjs,jsx,ts,mts,cts,tsx}';
const TEST_FILES = [
  '**/{test,tests,__tests__,__snapshots__,__mocks__}/**',
  `**/*.{test,spec}.${SCRIPT}`,
  `**/{*-test,*_test,test}.${SCRIPT}`,
];
const SOURCE_FILES = [`**/*.${SCRIPT}`];
const NODE_TEST = /['"]node:test['"]/;
const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];

type Runner = 'node-test' | 'vitest';

function runnerOf({ testScript, packages }: Package, tests: readonly TreeFile[]): Runner | null {
  if (/\bvitest\b/.test(testScript)) return 'vitest';
  if (/--test\b/.test(testScript)) return 'node-test';
  if (someText(tests, NODE_TEST)) return 'node-test';
  return packages.includes('vitest') ? 'vitest' : null;
}

/** Manifest and lock go to the kept folder, where `node_modules` is found from the tree beside it. */
function installSteps(files: readonly TreeFile[], { packages }: Package): string[][] {
  if (packages.length === 0) return [];
  const there = (names: readonly string[]) =>
    names.filter((name) => files.some(({ path }) => path === name));
  const locks = there(LOCKS);
  const quiet = ['--prefix', '{deps}', '--ignore-scripts', '--no-audit', '--no-fund'];
  const copy = ['cp', 'package.json', ...locks, ...there(['.npmrc']), '{deps}/'];
  // Locks of other package managers are not read; npm then chooses by the ranges of package.json.
  const install = locks.length > 0 ? ['npm', 'ci'] : ['npm', 'install', '--no-package-lock'];
  return [copy, [...install, ...quiet]];
}

function detect(files: readonly TreeFile[]): Detected {
  const scripts = files.filter(({ path }) => matchesAny(path, SOURCE_FILES));
  const tests = scripts.filter(({ path }) => matchesAny(path, TEST_FILES));
  if (tests.length === 0)
    return { fits: false, reason: 'no test files in JavaScript or TypeScript' };
  const known = readPackage(textOf(files, 'package.json') ?? '{}');
  if (known === null) return { fits: false, reason: 'package.json is no JSON object' };
  const runner = runnerOf(known, tests);
  if (runner === null) return { fits: false, reason: 'neither node:test nor vitest is in use' };
  const isTyped = scripts.some(
    ({ path }) => /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path),
  );
  const spec = EnvironmentSpec.parse({
    environment: 1,
    language: isTyped ? 'typescript' : 'javascript',
    runner,
    testFiles: TEST_FILES,
    sourceFiles: SOURCE_FILES,
    install: installSteps(files, known),
    paths: known.packages.length === 0 ? [] : ['{deps}/node_modules/.bin'],
    args: runner === 'node-test' ? nodeFlags(known.testScript) : [],
  });
  return { fits: true, spec, testFiles: tests.length };
}

/** Node with node:test or vitest. */
export const node: Recipe = { name: 'node', detect };
