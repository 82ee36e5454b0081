import type { ReportParser } from './parser.ts';
import { readStream } from './read-stream.ts';

/** pytest's own node ids, so that its users find their tests again. */
const isNodeId = (id: string, file: string) =>
  id === file || id.startsWith(`${file}::`) || id.startsWith(`${file} #`);
const rules = { runner: 'pytest', isIdOf: isNodeId } as const;

/** Reads what pipeline/runs/reporters writes for pytest. */
export const pytest: ReportParser = {
  runner: rules.runner,
  parse: (bytes, nonce) => readStream(bytes, nonce, rules),
};
