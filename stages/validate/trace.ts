import type { Instance, TestGroup } from '../../schemas/instance.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Task } from '../../schemas/task.ts';
import type { Dependence } from '../weave/dependence.ts';
import { refsOf } from '../weave/groups.ts';

type Trace = Instance['traces'][number];

/** Which clauses each target test checks: as the draft says, else every clause of the requirements it depends on. */
export function tracesOf(task: Task, dependences: readonly Dependence[]): readonly Trace[] {
  const stated = new Map(task.tests.traces.map(({ test, clauses }) => [test, clauses]));
  return dependences.map((dependence) => {
    const refs = refsOf(dependence);
    const clauses =
      task.tests.traces.length > 0 ? (stated.get(dependence.test) ?? []) : clausesOf(task, refs);
    return {
      test: dependence.test,
      parts: [...refs],
      clauses: [...clauses],
      evidence: [...dependence.evidence],
    };
  });
}

const clausesOf = (task: Task, refs: readonly string[]): readonly string[] =>
  task.requirements
    .filter(({ id }) => refs.includes(id))
    .flatMap(({ clauses }) => clauses.map(({ id }) => id));

/** Gate 8: every clause has a test that its own part can kill, every target test a clause. */
export function untraceable(
  task: Task,
  traces: readonly Trace[],
  groups: readonly TestGroup[],
): Rejection | null {
  const missing = task.requirements.flatMap(({ id, clauses }) =>
    clauses.filter(
      (clause) =>
        !traces.some((trace) => trace.parts.includes(id) && trace.clauses.includes(clause.id)),
    ),
  );
  const loose = traces.filter(({ clauses }) => clauses.length === 0);
  const detail =
    missing.length > 0
      ? `no killing test for clause ${missing[0]?.id}`
      : loose.length > 0
        ? `target test "${loose[0]?.test}" checks no clause`
        : groups.every(({ kind }) => kind === 'regression')
          ? 'no target group is left'
          : null;
  if (detail === null) return null;
  const evidence = [...missing.map(({ id }) => id), ...loose.map(({ test }) => test)];
  return { code: 'untraceable', detail, evidence };
}
