import { isTitledId, type ReportParser } from './parser.ts';
import { readStream } from './read-stream.ts';

const rules = { runner: 'unittest', isIdOf: isTitledId } as const;

/** Reads what pipeline/runs/reporters writes for unittest. */
export const unittest: ReportParser = {
  runner: rules.runner,
  parse: (bytes, nonce) => readStream(bytes, nonce, rules),
};
