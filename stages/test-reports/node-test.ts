import { isTitledId, type ReportParser } from './parser.ts';
import { readStream } from './read-stream.ts';

const rules = { runner: 'node-test', isIdOf: isTitledId } as const;

/** Reads what pipeline/runs/reporters writes for node-test. */
export const nodeTest: ReportParser = {
  runner: rules.runner,
  parse: (bytes, nonce) => readStream(bytes, nonce, rules),
};
