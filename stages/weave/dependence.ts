import type { TestStatus } from '../../schemas/test-report.ts';

/** What execution says a test depends on. `byAssertion` counts; `hard` could not run at all without the part. */
export type Dependence = {
  readonly test: string;
  readonly byAssertion: readonly string[];
  readonly hard: readonly string[];
  /** Each requirement by assertion, with the others that were there when it was missed; a mutant sits in the whole gold. */
  readonly shown: readonly { readonly requirement: string; readonly beside: readonly string[] }[];
  readonly evidence: readonly string[];
};

export type Row = {
  readonly name: string;
  readonly members: readonly string[];
  /** null: the parts could not be composed. */
  readonly statusOf: ((test: string) => TestStatus) | null;
};

export type Kill = {
  readonly mutant: string;
  readonly requirements: readonly string[];
  readonly killed: readonly string[];
};

/**
 * A test depends on R when it passes on some set of requirements with R and fails on the same set without R,
 * or when a mutant of lines that R brought kills it. Failing by assertion is evidence; not running is kept apart.
 * A test that all the others without R already satisfy does not need R, whatever smaller sets say.
 */
export function dependenceOf(
  test: string,
  rows: readonly Row[],
  kills: readonly Kill[],
): Dependence {
  const ablated = ablations(test, rows);
  const failed = ablated.filter(({ status }) => status === 'failed');
  const killers = kills.filter(({ killed }) => killed.includes(test));
  const byAssertion = new Set([
    ...failed.map(({ requirement }) => requirement),
    ...killers.flatMap(({ requirements }) => requirements),
  ]);
  const all = [...new Set(rows.flatMap(({ members }) => members))];
  const shown = [
    ...failed.map(({ requirement, beside }) => ({ requirement, beside })),
    ...killers.flatMap(({ requirements }) =>
      requirements.map((requirement) => ({ requirement, beside: all })),
    ),
  ];
  const blocked = ablated.filter(({ status }) => status !== 'failed' && status !== 'passed');
  const hard = new Set(blocked.map(({ requirement }) => requirement));
  return {
    test,
    byAssertion: [...byAssertion].toSorted(),
    hard: [...hard].filter((id) => !byAssertion.has(id)).toSorted(),
    shown,
    evidence: [
      ...failed.map(({ with_, without }) => `ablation:${with_} passes, ${without} fails`),
      ...killers.map(({ mutant }) => `mutation:${mutant}`),
    ],
  };
}

/** Where the test passes on a set of requirements: what becomes of it when one is left out. */
function ablations(test: string, rows: readonly Row[]) {
  const most = Math.max(...rows.map(({ members }) => members.length));
  const pairs = neighbours(rows);
  const spared = pairs
    .filter(([{ members }, smaller]) => members.length === most && passes(test, smaller))
    .map(([, , requirement]) => requirement);
  return pairs.flatMap(([larger, smaller, requirement]) => {
    const status = smaller.statusOf?.(test);
    if (!passes(test, larger) || status === undefined || spared.includes(requirement)) return [];
    const { members: beside } = smaller;
    return [{ requirement, status, beside, with_: larger.name, without: smaller.name }];
  });
}

const passes = (test: string, { statusOf }: Row): boolean => statusOf?.(test) === 'passed';

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
