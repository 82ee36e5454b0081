import type { DraftPlan } from '../../schemas/draft-answer.ts';
import type { Requirement } from '../../schemas/requirement.ts';
import type { Seed, SeedEdge } from '../../schemas/seed.ts';
import { cyclesOf, quotesOf } from './check-draft.ts';
import { tiesOf } from './drafter-view.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const docsOf = ({ statements }: Seed): Set<string> => new Set(statements.map(({ doc }) => doc));

/** The requirements of a plan under their ids, each quote under the seed whose document it is from; the plan was checked. */
export function planned(
  { requirements }: DraftPlan,
  seeds: readonly Seed[],
): readonly Requirement[] {
  return requirements.map(({ title, interface: declared, clauses }, index) => {
    const own = seeds[index];
    const seedOf = (doc: string) =>
      [own, ...seeds].find((seed) => seed !== undefined && docsOf(seed).has(doc))?.id ?? '';
    const named = clauses.map(({ text, quotes }, at) => ({
      id: `R${index + 1}.${LETTERS[at] ?? `z${LETTERS[at - 26] ?? 'z'}`}`,
      text,
      quotes: quotes.map(({ doc, quote }) => ({ doc, quote, seed: seedOf(doc) })),
    }));
    const quoted = new Set(named.flatMap(({ quotes }) => quotes.map(({ seed }) => seed)));
    return {
      id: `R${index + 1}`,
      title,
      clauses: named,
      seeds: [...quoted],
      interface: [...declared],
    };
  });
}

/** What is wrong with a plan, a line each: counts, quotes, and a coupling with a clause for every tie of the seeds. */
export function planProblems(
  plan: DraftPlan,
  facts: { readonly seeds: readonly Seed[]; readonly edges: readonly SeedEdge[] },
  docOf: (doc: string) => string | null,
): readonly string[] {
  const { seeds, edges } = facts;
  const requirements = planned(plan, seeds);
  const ids = requirements.map(({ id }) => id);
  return [
    ...(ids.length === seeds.length
      ? []
      : [`there are ${ids.length} requirements, expected ${seeds.length}, one for each seed`]),
    ...requirements.flatMap((requirement, at) => requirementProblems(requirement, seeds[at])),
    ...quotesOf({ requirements }, docOf),
    ...couplingProblems(plan, ids),
    ...missingTies(plan, tiesOf(seeds, edges)),
    ...cyclesOf(plan.couplings),
    ...(isConnected(plan, ids)
      ? []
      : ['the requirements and couplings are not one connected graph']),
  ];
}

function requirementProblems({ id, clauses }: Requirement, seed: Seed | undefined): string[] {
  const quoted = clauses.flatMap(({ quotes }) => quotes);
  const own = seed === undefined ? new Set<string>() : docsOf(seed);
  return [
    ...(clauses.length === 0 ? [`${id} has no clause`] : []),
    ...(clauses.length > 26 ? [`${id} has ${clauses.length} clauses, at most 26`] : []),
    ...clauses
      .filter(({ quotes }) => quotes.length === 0)
      .map((clause) => `${clause.id} quotes nothing`),
    ...(quoted.some(({ doc }) => own.has(doc))
      ? []
      : [`${id} quotes no document of its own seed (${[...own].join(', ') || 'none'})`]),
  ];
}

const couplingProblems = ({ couplings }: DraftPlan, ids: readonly string[]): string[] =>
  couplings.flatMap(({ from, to, text }) => {
    const name = `coupling ${from}-${to}`;
    return [
      ...[from, to]
        .filter((id) => !ids.includes(id))
        .map((id) => `${name} names ${id}, which does not exist`),
      ...(from === to ? [`${from} is coupled to itself`] : []),
      ...(text.trim() === '' ? [`${name} does not say what must hold where the two meet`] : []),
    ];
  });

const missingTies = ({ couplings }: DraftPlan, ties: ReturnType<typeof tiesOf>): string[] =>
  ties
    .filter(
      (tie) =>
        !couplings.some(({ from, to }) => [from, to].toSorted().join() === `${tie.from},${tie.to}`),
    )
    .map(({ from, to }) => `${from} and ${to} are tied by their seeds and have no coupling`);

function isConnected({ couplings }: DraftPlan, ids: readonly string[]): boolean {
  const reached = new Set(ids.slice(0, 1));
  for (const _ of ids)
    for (const { from, to } of couplings) {
      if (reached.has(from)) reached.add(to);
      if (reached.has(to)) reached.add(from);
    }
  return ids.every((id) => reached.has(id));
}
