import { isTitledId, type ReportParser } from './parser.ts';
import { readStream } from './read-stream.ts';

const rules = { runner: 'vitest', isIdOf: isTitledId } as const;

/** Reads what pipeline/runs/reporters writes for vitest. */
export const vitest: ReportParser = {
  runner: rules.runner,
  parse: (bytes, nonce) => readStream(bytes, nonce, rules),
};
