import type { TestStatus } from '../../schemas/test-report.ts';

/** What execution says a test depends on. `byAssertion` counts; `hard` could not run at all without the part. */
export type Dependence = {
  readonly test: string;
  readonly byAssertion: readonly string[];
  readonly hard: readonly string[];
  readonly evidence: readonly string[];
};

export type Row = {
  readonly name: string;
  readonly members: readonly string[];
  /** null: the parts could not be composed. */
  readonly statusOf: ((test: string) => TestStatus) | null;
};

export type Kill = { readonly mutant: string; readonly requirements: readonly string[]; readonly killed: readonly string[] };

/**
 * A test depends on R when it passes on some set of requirements with R and fails on the same set without R,
 * or when a mutant of lines that R brought kills it. Failing by assertion is evidence; not running is kept apart.
 */
export function dependenceOf(
  test: string,
  rows: readonly Row[],
  kills: readonly Kill[],
): Dependence {
  const byAssertion = new Set<string>();
  const hard = new Set<string>();
  const evidence: string[] = [];
  for (const [with_, without, requirement] of neighbours(rows)) {
    if (with_.statusOf?.(test) !== 'passed') continue;
    const status = without.statusOf?.(test);
    if (status === 'failed') {
      byAssertion.add(requirement);
      evidence.push(`ablation:${with_.name} passes, ${without.name} fails`);
    } else if (status !== undefined && status !== 'passed') hard.add(requirement);
  }
  for (const { mutant, requirements, killed } of kills) {
    if (!killed.includes(test)) continue;
    for (const requirement of requirements) byAssertion.add(requirement);
    evidence.push(`mutation:${mutant}`);
  }
  return {
    test,
    byAssertion: [...byAssertion].toSorted(),
    hard: [...hard].filter((id) => !byAssertion.has(id)).toSorted(),
    evidence,
  };
}

/** Pairs of rows that differ by exactly one requirement. */
function neighbours(rows: readonly Row[]): readonly (readonly [Row, Row, string])[] {
  return rows.flatMap((larger) =>
    larger.members.flatMap((requirement) => {
      const rest = larger.members.filter((id) => id !== requirement).join();
      const smaller = rows.find(({ members }) => members.join() === rest);
      return smaller === undefined ? [] : [[larger, smaller, requirement] as const];
    }),
  );
}
