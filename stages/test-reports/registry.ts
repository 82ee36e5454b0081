import type { Runner } from '../../schemas/environment.ts';
import { nodeTest } from './node-test.ts';
import type { ReportParser } from './parser.ts';
import { pytest } from './pytest.ts';
import { unittest } from './unittest.ts';
import { vitest } from './vitest.ts';

/** One parser per runner. */
export const parsers = {
  'node-test': nodeTest,
  pytest,
  unittest,
  vitest,
} satisfies Record<Runner, ReportParser>;
