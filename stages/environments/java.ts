import { EnvironmentSpec } from '../../schemas/environment.ts';
import { matchesAny } from './glob.ts';
import { type Detected, type Recipe, type TreeFile, textOf } from './recipe.ts';

const CLASSES = ['**/src/test/**/{Test*,*Test,*Tests,*TestCase,*IT}.java'];
const TEST_FILES = ['**/src/test/**'];
const SOURCE_FILES = ['**/*.java'];

/**
 * The base's tests run once while there is network: surefire looks for its provider only when it is about to run tests, so no
 * other goal brings all that a run without network needs. What they say is not looked at.
 */
const INSTALL = [
  'mvn',
  '-B',
  '-q',
  '-Dmaven.repo.local={deps}/maven',
  '-Dmaven.test.failure.ignore=true',
  'test',
];

function detect(files: readonly TreeFile[]): Detected {
  if (textOf(files, 'pom.xml') === null) return { fits: false, reason: 'no pom.xml' };
  const tests = files.filter(({ path }) => matchesAny(path, CLASSES));
  if (tests.length === 0) return { fits: false, reason: 'no test classes in src/test' };
  const spec = EnvironmentSpec.parse({
    environment: 1,
    language: 'java',
    runner: 'maven-surefire',
    testFiles: TEST_FILES,
    sourceFiles: SOURCE_FILES,
    install: [INSTALL],
    env: { CSW_MAVEN_REPOSITORY: '{deps}/maven' },
    timeoutS: 300,
  });
  return { fits: true, spec, testFiles: tests.length };
}

/** Maven projects with surefire. */
export const java: Recipe = { name: 'java', detect };
