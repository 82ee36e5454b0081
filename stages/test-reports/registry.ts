import type { Runner } from '../../schemas/environment.ts';
import { nodeTest } from './node-test.ts';
import { isTitledId, type ReportParser } from './parser.ts';
import { pytest } from './pytest.ts';
import { readStream } from './read-stream.ts';
import { unittest } from './unittest.ts';
import { vitest } from './vitest.ts';

/** A runner whose reporter tells ids as the file, then titles. */
const titled = (runner: Runner): ReportParser => ({
  runner,
  parse: (bytes, nonce) => readStream(bytes, nonce, { runner, isIdOf: isTitledId }),
});

/** One parser per runner. */
export const parsers = {
  ava: titled('ava'),
  'cargo-test': titled('cargo-test'),
  'go-test': titled('go-test'),
  jest: titled('jest'),
  'maven-surefire': titled('maven-surefire'),
  mocha: titled('mocha'),
  'node-test': nodeTest,
  pytest,
  unittest,
  vitest,
} satisfies Record<Runner, ReportParser>;
