import type { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from '../environments/glob.ts';

const PYTHON_TEST = /(^|\/)(test_[^/]*|[^/]*_test|tests)\.py$/;
const SCRIPT = /\.[cm]?[jt]sx?$/;
const HELPER = /(^|\/)(fixtures?|helpers?|support|utils?|__mocks__|__snapshots__)\//;

/** A file of tests or of what only tests use. */
const isTestFile = (path: string, spec: EnvironmentSpec): boolean =>
  matchesAny(path, spec.testFiles);

/** A test file that the runner can be given by name. */
export function isRunnable(path: string, spec: EnvironmentSpec): boolean {
  if (!isTestFile(path, spec) || HELPER.test(path)) return false;
  return spec.language === 'python'
    ? PYTHON_TEST.test(path)
    : SCRIPT.test(path) && !/\.d\.[cm]?ts$/.test(path);
}
