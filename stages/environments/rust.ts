import { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from './glob.ts';
import { type Detected, type Recipe, type TreeFile, textOf } from './recipe.ts';

/** Tests inside source files stay source: a file that holds both can be neither hidden nor changed alone. */
const TEST_FILES = ['**/tests/**', '**/{tests,test,*_test,*_tests,test_*}.rs'];
const SOURCE_FILES = ['**/*.rs'];

/**
 * Crates go to the kept folder and are compiled there once; a tree without Cargo.lock gets the one that was made then.
 * What does not compile yet is told by the run, not here.
 */
const CRATES = 'set -e; cargo fetch; cp Cargo.lock {deps}/';
const WARM = 'cargo test --offline --workspace --no-run > /dev/null 2>&1 || true';

function detect(files: readonly TreeFile[]): Detected {
  if (textOf(files, 'Cargo.toml') === null) return { fits: false, reason: 'no Cargo.toml' };
  const code = files.filter(({ path }) => matchesAny(path, SOURCE_FILES));
  const tests = code.filter(({ path }) => matchesAny(path, TEST_FILES));
  if (tests.length === 0) {
    return {
      fits: false,
      reason: 'no test files in Rust (tests inside source files are not read)',
    };
  }
  const spec = EnvironmentSpec.parse({
    environment: 1,
    language: 'rust',
    runner: 'cargo-test',
    testFiles: TEST_FILES,
    sourceFiles: SOURCE_FILES,
    install: [['sh', '-c', `${CRATES}; ${WARM}`]],
    env: { CARGO_HOME: '{deps}/cargo', CARGO_TARGET_DIR: '{deps}/target', CARGO_INCREMENTAL: '0' },
    timeoutS: 300,
  });
  return { fits: true, spec, testFiles: tests.length };
}

/** Cargo workspaces with libtest. */
export const rust: Recipe = { name: 'rust', detect };
