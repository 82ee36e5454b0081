import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ContractReport } from '../../schemas/contract-report.ts';
import { flagError } from '../config/usage-problem.ts';

const Difference = z.object({
  path: z.string(),
  at: z.number().int().nonnegative(),
  base: z.string(),
  candidate: z.string(),
});

/** What `contract check --json` printed, as far as it is explained again. */
const Printed = z.object({ ...ContractReport.shape, differences: z.array(Difference).default([]) });
export type Printed = z.infer<typeof Printed>;

/** The report in a file, or null where it is none (a contract, for instance). */
export function readReport(path: string): Printed | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw flagError('C', 'a contract or a report that can be read', `"${path}" (${code})`);
  }
  const last = text.trim().split('\n').at(-1) ?? '';
  for (const candidate of [text, last]) {
    const parsed = Printed.safeParse(jsonOr(candidate));
    if (parsed.success) return parsed.data;
  }
  return null;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return null;
  }
}
