import { z } from 'zod';
import { ContractReport } from '../../schemas/contract-report.ts';
import { utf8 } from '../../stages/contract/text.ts';
import { pathText } from '../config/parse-yaml.ts';
import { flagError } from '../config/usage-problem.ts';
import { namedFile } from './read-contract.ts';

const Difference = z.object({
  path: z.string(),
  at: z.number().int().nonnegative(),
  before: z.string(),
  base: z.string(),
  candidate: z.string(),
});

/** What `contract check --json` printed, as far as it is explained again. */
const Printed = z.object({
  ...ContractReport.shape,
  verdict: z.enum(['conforms', 'violates', 'invalid']).optional(),
  differences: z.array(Difference).default([]),
});
export type Printed = z.infer<typeof Printed>;

const MAX_BYTES = 64 * 1024 * 1024;

/** The report in a file, or null where it is none (a contract, for instance). */
export function readReport(path: string): Printed | null {
  const bytes = namedFile(path, MAX_BYTES);
  const text = 'length' in bytes ? utf8(bytes) : null;
  if (text === null) return null;
  const last = text.trim().split('\n').at(-1) ?? '';
  for (const candidate of [text, last]) {
    const value = jsonOr(candidate);
    const parsed = Printed.safeParse(value);
    if (parsed.success) return parsed.data;
    if (isOther(value)) throw noReport(path, parsed.error.issues[0]);
  }
  return null;
}

/** An object in JSON that names no version of a contract was meant to be a report. */
const isOther = (value: unknown) =>
  typeof value === 'object' && value !== null && !('contract' in value);

const noReport = (path: string, issue: z.core.$ZodIssue | undefined) =>
  flagError(
    'C',
    'a contract, or what "pipeline contract check --json" printed for a candidate that is a tree',
    `"${path}" (${pathText(issue?.path ?? [])}: ${issue?.message})`,
  );

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return null;
  }
}
