import { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from './glob.ts';
import { INSTALL_SCRIPT } from './python-install.ts';
import { type Detected, type Recipe, someText, type TreeFile, textOf } from './recipe.ts';

const TEST_FILES = ['**/{test,tests}/**', '**/{test_*,*_test,conftest}.py'];
const SOURCE_FILES = ['**/*.py'];
/** Files that can name packages; a tree without any of them needs nothing but its runner. */
const MANIFESTS = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'tox.ini',
  '{requirements*,*requirements,requirements/*}.txt',
];
const CONFIGS: readonly (readonly [string, RegExp])[] = [
  ['pyproject.toml', /^\[tool\.pytest\b/m],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /^\[pytest\]/m],
  ['pytest.ini', /^/],
];
const PYTEST = /^\s*(import pytest\b|from pytest\b|def test_\w+\(\s*(?!self\b))/m;
const UNITTEST = /^\s*(import unittest\b|from unittest\b)/m;

function usesPytest(files: readonly TreeFile[], tests: readonly TreeFile[]): boolean {
  if (files.some(({ path }) => matchesAny(path, ['**/conftest.py']))) return true;
  const isConfigured = ([path, mark]: (typeof CONFIGS)[number]) => {
    const text = textOf(files, path);
    return text !== null && mark.test(text);
  };
  if (CONFIGS.some(isConfigured)) return true;
  return someText(tests, PYTEST) || !someText(tests, UNITTEST);
}

function detect(files: readonly TreeFile[]): Detected {
  const code = files.filter(({ path }) => matchesAny(path, SOURCE_FILES));
  const tests = code.filter(({ path }) => matchesAny(path, TEST_FILES));
  if (tests.length === 0) return { fits: false, reason: 'no test files in Python' };
  const runner = usesPytest(files, tests) ? 'pytest' : 'unittest';
  const needsPackages =
    runner === 'pytest' || files.some(({ path }) => matchesAny(path, MANIFESTS));
  const packages = runner === 'pytest' ? ['pytest'] : [];
  const spec = EnvironmentSpec.parse({
    environment: 1,
    language: 'python',
    runner,
    testFiles: TEST_FILES,
    sourceFiles: SOURCE_FILES,
    install: needsPackages
      ? [['python3', '-I', '-c', INSTALL_SCRIPT, '{deps}/python', ...packages]]
      : [],
    // The tree before what was installed, or an installed namesake would be tested instead.
    env: { PYTHONPATH: `{workdir}/src:{workdir}${needsPackages ? ':{deps}/python' : ''}` },
    paths: needsPackages ? ['{deps}/python/bin'] : [],
  });
  return { fits: true, spec, testFiles: tests.length };
}

/** Python with unittest or pytest. */
export const python: Recipe = { name: 'python', detect };
