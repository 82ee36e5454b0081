/** One thing that the user wrote and we cannot use. `line` counts from 1 within `file`; null where there is none. */
export type UsageProblem = {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  readonly file: string | null;
  readonly line: number | null;
};

const MARK = 'UsageProblems';

type UsageProblems = Error & { readonly problems: readonly UsageProblem[] };

/** An error that carries every problem at once; thrown up to the CLI, which prints a line for each. */
export function usageError(problems: readonly UsageProblem[]): UsageProblems {
  const message = problems.map(problemLine).join('\n');
  return Object.assign(new Error(message), { name: MARK, problems });
}

/** One problem that stands in no file: a flag or a positional argument. */
export function flagError(path: string, expected: string, got: string): UsageProblems {
  return usageError([{ path, expected, got, file: null, line: null }]);
}

/** Whether an error tells the user what they wrote wrongly. */
export const isUsageError = (error: unknown): error is UsageProblems =>
  error instanceof Error && error.name === MARK && 'problems' in error;

/** A problem as one line for people: `limits.attempts: expected 1 to 16, got "four" (run.yaml:12)`. */
export function problemLine({ path, expected, got, file, line }: UsageProblem): string {
  const place = [file, line].filter((part) => part !== null).join(':');
  const where = place === '' ? '' : ` (${place})`;
  return `${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}${where}`;
}
