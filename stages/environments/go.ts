import { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from './glob.ts';
import { type Detected, type Recipe, type TreeFile, textOf } from './recipe.ts';

const TEST_FILES = ['**/*_test.go', '**/testdata/**'];
const SOURCE_FILES = ['**/*.go'];

/**
 * Modules go to the kept folder with the go.mod and go.sum that name them, so that a tree without go.sum has the same ones for ever;
 * everything is compiled once, since a box that starts with an empty cache compiles the standard library.
 */
const MODULES = [
  'set -e; mkdir -p {deps}/go; cp go.mod {deps}/go/; if [ -f go.sum ]; then cp go.sum {deps}/go/; fi',
  'go mod download; go list -mod=mod -deps -test ./... > /dev/null',
].join('; ');
const WARM = "go test -count=1 -vet=off -run '^$' ./... > /dev/null 2>&1 || true";

function detect(files: readonly TreeFile[]): Detected {
  const tests = files.filter(({ path }) => matchesAny(path, ['**/*_test.go']));
  if (tests.length === 0) return { fits: false, reason: 'no test files in Go' };
  if (textOf(files, 'go.mod') === null) return { fits: false, reason: 'no go.mod' };
  const isVendored = textOf(files, 'vendor/modules.txt') !== null;
  const hasOwnList = isVendored || textOf(files, 'go.work') !== null;
  const download = hasOwnList ? 'mkdir -p {deps}/go; go mod download' : MODULES;
  const install = `${isVendored ? 'mkdir -p {deps}/go' : download}; ${WARM}`;
  const spec = EnvironmentSpec.parse({
    environment: 1,
    language: 'go',
    runner: 'go-test',
    testFiles: TEST_FILES,
    sourceFiles: SOURCE_FILES,
    install: [['sh', '-c', install]],
    env: {
      GOMODCACHE: '{deps}/go/mod',
      GOCACHE: '{deps}/go/build',
      GOFLAGS: `-buildvcs=false${hasOwnList ? '' : ' -modfile={deps}/go/go.mod'}`,
      GOTOOLCHAIN: 'local',
    },
    timeoutS: 300,
  });
  return { fits: true, spec, testFiles: tests.length };
}

/** Go modules with `go test`. */
export const go: Recipe = { name: 'go', detect };
