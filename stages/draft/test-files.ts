import type { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from '../environments/glob.ts';

const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Names of files that hold tests, by language; what lies beside them serves them. */
const HOLDS_TESTS: Readonly<Record<EnvironmentSpec['language'], RegExp>> = {
  typescript: SCRIPT,
  javascript: SCRIPT,
  python: /(^|\/)(test_[^/]*|[^/]*_test|tests)\.py$/,
  go: /_test\.go$/,
  rust: /(^|\/)(tests\/[^/]+|tests\/[^/]+\/main|src\/.*|tests?|test_[^/]*|[^/]*_tests?)\.rs$/,
  java: /(^|\/)src\/test\/.*\/?(Test[^/]*|[^/]*(Tests?|TestCase|IT))\.java$/,
};
const HELPER = /(^|\/)(fixtures?|helpers?|support|utils?|__mocks__|__snapshots__)\//;

/** A file of tests or of what only tests use. */
const isTestFile = (path: string, spec: EnvironmentSpec): boolean =>
  matchesAny(path, spec.testFiles);

/** A test file that the runner can be given by name. */
export function isRunnable(path: string, spec: EnvironmentSpec): boolean {
  if (!isTestFile(path, spec) || HELPER.test(path)) return false;
  return HOLDS_TESTS[spec.language].test(path) && !/\.d\.[cm]?ts$/.test(path);
}
