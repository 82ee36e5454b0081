import { describe, expect, test } from 'vitest';
import { detectEnvironment } from '../../../stages/environments/detect.ts';

type Texts = Readonly<Record<string, string>>;
const filesOf = (texts: Texts) =>
  Object.entries(texts).map(([path, text]) => ({
    path,
    read: () => new TextEncoder().encode(text),
  }));

/** The spec of a tree, which must be found. */
function specOf(texts: Texts) {
  const detection = detectEnvironment(filesOf(texts));
  if (!detection.found) throw new Error(detection.detail);
  return detection.spec;
}

const nodeTest = "import { test } from 'node:test';";
const pack = (parts: object) => JSON.stringify({ type: 'module', ...parts });

describe('node', () => {
  test('node:test without dependencies needs no installation', () => {
    const spec = specOf({
      'package.json': pack({ scripts: { test: 'node --test' } }),
      'src/a.ts': '',
      'test/a.test.ts': nodeTest,
    });
    expect(spec).toMatchObject({ language: 'typescript', runner: 'node-test', install: [] });
    expect(spec).toMatchObject({ paths: [], args: [] });
  });

  test('a tree without package.json is run by what its tests import', () => {
    expect(specOf({ 'test/a.test.mjs': nodeTest })).toMatchObject({
      language: 'javascript',
      runner: 'node-test',
    });
  });

  test('a lock is installed as it is, beside the tree and without its scripts', () => {
    const { runner, install, paths } = specOf({
      'package.json': pack({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '^3' } }),
      'package-lock.json': '{}',
      'src/a.test.ts': '',
    });
    expect(runner).toBe('vitest');
    expect(paths).toEqual(['{deps}/node_modules/.bin']);
    expect(install.map((step) => step.join(' '))).toEqual([
      'cp package.json package-lock.json {deps}/',
      'npm ci --prefix {deps} --ignore-scripts --no-audit --no-fund',
    ]);
  });

  test('without a lock npm chooses the versions and writes down which', () => {
    const { install } = specOf({
      'package.json': pack({ dependencies: { left: '1' } }),
      '.npmrc': '',
      'test/a.test.js': nodeTest,
    });
    expect(install[0]).toEqual(['cp', 'package.json', '.npmrc', '{deps}/']);
    expect(install[1]).toContain('--package-lock');
  });

  test.each([
    ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n", 'npx --yes pnpm@10 install --frozen-lockfile'],
    ['pnpm-lock.yaml', 'lockfileVersion: 5.4\n', 'npx --yes pnpm@7 install --frozen-lockfile'],
    ['yarn.lock', '# yarn lockfile v1\n', 'npx --yes yarn@1 install --frozen-lockfile'],
    ['yarn.lock', '__metadata:\n  version: 8\n', '@yarnpkg/cli-dist@4 yarn install --immutable'],
    ['yarn.lock', '__metadata:\n  version: 6\n', '@yarnpkg/cli-dist@3 yarn install --immutable'],
  ])('%s of the kind %j is installed by a version that reads it', (lock, text, command) => {
    const { install } = specOf({
      'package.json': pack({ dependencies: { left: '1' } }),
      [lock]: text,
      'test/a.test.js': nodeTest,
    });
    expect(install[0]).toContain(lock);
    expect(install[1]?.join(' ')).toContain(command);
  });

  test('the version that packageManager names is used, without its hash', () => {
    const { install } = specOf({
      'package.json': pack({ dependencies: { left: '1' }, packageManager: 'pnpm@9.1.0+sha512.ab' }),
      'pnpm-lock.yaml': '',
      'test/a.test.js': nodeTest,
    });
    expect(install[1]).toContain('pnpm@9.1.0');
  });

  test('packages of a workspace lead to the tree', () => {
    const { install } = specOf({
      'package.json': pack({ workspaces: ['packages/*'] }),
      'packages/a/package.json': '{}',
      'packages/a/a.test.js': nodeTest,
    });
    expect(install[0]).toEqual([
      'cp',
      '-r',
      '--parents',
      'package.json',
      'packages/a/package.json',
      '{deps}/',
    ]);
    expect(install[2]?.slice(-2)).toEqual(['{deps}', '{workdir}']);
  });

  test.each([
    ['jest --env node --ci', 'jest', ['--env', 'node'], {}],
    ['npm run unit && echo', 'mocha', ['--require', './setup.js', '--exit'], {}],
    [
      'NODE_OPTIONS=--experimental-vm-modules jest',
      'jest',
      [],
      { NODE_OPTIONS: '--experimental-vm-modules' },
    ],
    ['c8 ava --serial | tee log', 'ava', ['--serial'], {}],
    ['vitest run --config=other.ts', 'vitest', ['--config=other.ts'], {}],
  ])('"%s" is run by %s with what decides how tests are loaded', (script, runner, args, env) => {
    const unit = "mocha --require './setup.js' --exit --reporter dot";
    const tree = { 'package.json': pack({ scripts: { test: script, unit } }), 'a.test.js': '' };
    expect(specOf(tree)).toMatchObject({ runner, args, env });
  });

  test.each([
    ['node --import tsx --test', ['--import', 'tsx']],
    ['tsx --test test/*.ts', ['--import', 'tsx']],
    ['node --import=./hook.mjs --test', ['--import=./hook.mjs']],
    ['node --experimental-vm-modules --test', ['--experimental-vm-modules']],
    ['c8 node -r ./setup.cjs --test --test-reporter=spec', ['-r', './setup.cjs']],
  ])('the flags that load files are kept from "%s"', (script, args) => {
    const tree = { 'package.json': pack({ scripts: { test: script } }), 'a.test.ts': nodeTest };
    expect(specOf(tree).args).toEqual(args);
  });
});

describe('python', () => {
  const unittest = 'import unittest\n\nclass T(unittest.TestCase):\n    def test_x(self): pass\n';

  test('unittest with the standard library needs no installation', () => {
    const spec = specOf({ 'src/a.py': '', 'tests/test_a.py': unittest });
    expect(spec).toMatchObject({ language: 'python', runner: 'unittest', install: [], paths: [] });
    expect(spec.env).toEqual({ PYTHONPATH: '{workdir}/src:{workdir}' });
  });

  test('the tree comes before what was installed', () => {
    const spec = specOf({ 'requirements.txt': 'six', 'tests/test_a.py': unittest });
    expect(spec.env.PYTHONPATH).toBe('{workdir}/src:{workdir}:{deps}/python');
    expect(spec.install.map((step) => step.slice(-1))).toEqual([['{deps}/python']]);
  });

  test.each<[string, Texts]>([
    ['its own test function', { 'tests/test_a.py': 'def test_x(tmp_path):\n    pass\n' }],
    ['an import', { 'tests/test_a.py': `import pytest\n${unittest}` }],
    ['a conftest.py', { 'conftest.py': '', 'tests/test_a.py': unittest }],
    ['pytest.ini', { 'pytest.ini': '', 'tests/test_a.py': unittest }],
    ['pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'test_a.py': unittest }],
    ['setup.cfg', { 'setup.cfg': '[tool:pytest]\n', 'test_a.py': unittest }],
  ])('pytest is known by %s, and installed', (_, tree) => {
    const spec = specOf(tree);
    expect(spec.runner).toBe('pytest');
    expect(spec.install[0]?.slice(-2)).toEqual(['{deps}/python', 'pytest']);
  });
});

describe('go, rust and java', () => {
  test('go modules are fetched beside the go.mod that names them', () => {
    const spec = specOf({ 'go.mod': 'module x', 'a.go': '', 'a_test.go': '' });
    expect(spec).toMatchObject({ language: 'go', runner: 'go-test' });
    expect(spec.env.GOFLAGS).toContain('-modfile={deps}/go/go.mod');
    expect(spec.install.flat().join(' ')).toContain('go mod download');
  });

  test.each(['go.work', 'vendor/modules.txt'])(
    'a tree with %s has its own list of modules',
    (own) => {
      const spec = specOf({ 'go.mod': 'module x', [own]: '', 'a_test.go': '' });
      expect(spec.env.GOFLAGS).toBe('-buildvcs=false');
    },
  );

  test('crates are fetched, and the lock that was used is kept', () => {
    const spec = specOf({ 'Cargo.toml': '[package]', 'src/lib.rs': '', 'tests/a.rs': '' });
    expect(spec).toMatchObject({ language: 'rust', runner: 'cargo-test' });
    expect(spec.install.flat().join(' ')).toContain('cp Cargo.lock {deps}/');
  });

  test('surefire runs once with network, since it fetches its provider only then', () => {
    const spec = specOf({ 'pom.xml': '<project/>', 'src/test/java/ATest.java': '' });
    expect(spec).toMatchObject({ language: 'java', runner: 'maven-surefire' });
    expect(spec.install[0]?.slice(-1)).toEqual(['test']);
  });
});

test('without a package at the root the one with the most tests is taken, and started in', () => {
  const spec = specOf({
    'one/go.mod': 'module x',
    'one/a_test.go': '',
    'two/deep/go.mod': 'module y',
    'two/deep/a_test.go': '',
    'two/deep/b_test.go': '',
    'two/deep/testdata/go.mod': 'module z',
  });
  expect(spec.workdir).toBe('two/deep');
  expect(spec.testFiles[0]).toBe('two/deep/**/*_test.go');
  expect(spec.install[0]?.slice(0, 3)).toEqual(['env', '-C', 'two/deep']);
});

test('of two languages the one with more test files wins', () => {
  const tree = { 'package.json': pack({}), 'docs/a.test.js': nodeTest, 'tests/test_a.py': '' };
  expect(specOf(tree).language).toBe('javascript');
  expect(specOf({ ...tree, 'tests/test_b.py': '' }).language).toBe('python');
});

test.each<[string, Texts]>([
  ['no tests', { 'src/a.ts': '' }],
  ['another runner', { 'package.json': pack({ devDependencies: { tape: '1' } }), 'a.test.js': '' }],
  ['a broken package.json', { 'package.json': '{', 'a.test.js': nodeTest }],
  ['Go outside of a module', { 'main.go': '', 'main_test.go': '' }],
  ['another language', { 'main.rb': '', 'test/main_test.rb': '' }],
])('a tree with %s is refused with the reason and a way on', (_, tree) => {
  const detection = detectEnvironment(filesOf(tree));
  expect(detection).toMatchObject({ found: false, code: 'unsupported-language' });
  expect(detection.found ? '' : detection.detail).toMatch(/^no recipe fits .*--env\.$/);
});
