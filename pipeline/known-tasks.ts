import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RunConfig } from '../schemas/run-config.ts';
import { flagError } from './config/usage-problem.ts';

/**
 * One line of a list of what benchmarks hold already: `{"repo": "owner/name", "commit": "…"}` or `{"repo": …, "issue": 12}`;
 * `benchmark` names the list that it stands in.
 */
const Known = z
  .object({
    repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
    commit: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/)
      .optional(),
    issue: z.number().int().positive().optional(),
    benchmark: z.string().optional(),
  })
  .refine(({ commit, issue }) => commit !== undefined || issue !== undefined, {
    error: 'expected a commit or an issue',
  });
export type Known = z.infer<typeof Known>;

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

/** The list in a file, one JSON object a line. Every wrong line is a usage error with its number. */
function readKnown(path: string): readonly Known[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw flagError(
      '--known',
      'a file that can be read',
      `"${path}" (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const parsed = Known.safeParse(jsonOf(line));
    if (parsed.success) return [parsed.data];
    throw flagError(
      '--known',
      '{"repo": "owner/name", "commit": "…"} or {"repo": …, "issue": 12} a line',
      `"${line.slice(0, 60)}" (${path}:${at + 1})`,
    );
  });
}

/** The list that a run names, read before anything is drafted; empty where it names none. */
export const knownTasks = ({ synthesize: { known } }: RunConfig): readonly Known[] =>
  known === null ? [] : readKnown(known);
