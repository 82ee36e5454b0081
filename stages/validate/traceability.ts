import type { Instance, Mutant } from '../../schemas/instance.ts';
import type { Task } from '../../schemas/task.ts';

type Trace = Instance['traces'][number];

/** What shows that a test needs a part: comparisons of two trees of the lattice, and mutants. */
type Killers = { readonly ablations: readonly string[]; readonly mutants: readonly Mutant[] };

/** One clause and the tests of it that its own parts can kill. */
export type ClauseTrace = {
  readonly requirement: string;
  readonly clause: string;
  readonly text: string;
  readonly tests: readonly (Killers & { readonly test: string })[];
};

/** One target test and all that it depends on. */
export type TestTrace = Killers & {
  readonly test: string;
  readonly clauses: readonly string[];
  readonly parts: readonly string[];
};

const ABLATION = 'ablation:';
const MUTATION = 'mutation:';

const ablationsOf = ({ evidence }: Trace): readonly string[] =>
  evidence.flatMap((line) => (line.startsWith(ABLATION) ? line.slice(ABLATION.length) : []));

function mutantsOf({ evidence }: Trace, { mutants }: Instance): readonly Mutant[] {
  const ids = new Set(
    evidence.flatMap((line) => (line.startsWith(MUTATION) ? line.slice(MUTATION.length) : [])),
  );
  return mutants.filter(({ id }) => ids.has(id));
}

/** Clause to tests: of the mutants only those of lines that a part of the clause's requirement brought. */
export function clauseTraces(task: Task, instance: Instance): readonly ClauseTrace[] {
  return task.requirements.flatMap(({ id: requirement, clauses }) => {
    const parts = task.gold.flatMap(({ id, needs }) => (needs.includes(requirement) ? id : []));
    const own = instance.traces.filter((trace) => trace.parts.includes(requirement));
    return clauses.map(({ id: clause, text }) => ({
      requirement,
      clause,
      text,
      tests: own
        .filter((trace) => trace.clauses.includes(clause))
        .map((trace) => ({
          test: trace.test,
          ablations: ablationsOf(trace),
          mutants: mutantsOf(trace, instance).filter(({ part }) => parts.includes(part)),
        })),
    }));
  });
}

/** Test to clauses. */
export const testTraces = (instance: Instance): readonly TestTrace[] =>
  instance.traces.map((trace) => ({
    test: trace.test,
    clauses: trace.clauses,
    parts: trace.parts,
    ablations: ablationsOf(trace),
    mutants: mutantsOf(trace, instance),
  }));
