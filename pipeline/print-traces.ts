import type { Instance, Mutant } from '../schemas/instance.ts';
import type { Task } from '../schemas/task.ts';
import { clauseTraces, testTraces } from '../stages/validate/traceability.ts';

/** Clause to tests and test to clauses with what shows it, then what became of the mutants of each part. */
export function traceLines(task: Task, instance: Instance): readonly string[] {
  return [
    '',
    'clause -> tests',
    ...clauseTraces(task, instance).flatMap(({ clause, text, tests }) => [
      `  ${clause} ${text}`,
      ...(tests.length === 0 ? ['    no test'] : []),
      ...tests.map(({ test, ...killers }) => `    ${test} (${countsOf(killers)})`),
    ]),
    '',
    'test -> clauses',
    ...testTraces(instance).flatMap(({ test, clauses, parts, ablations, mutants }) => [
      `  ${test}`,
      `    checks ${clauses.join(', ') || 'no clause'}; depends on ${parts.join(', ') || 'nothing'}`,
      ...ablations.map((line) => `    ablation: ${line}`),
      ...(mutants.length === 0 ? [] : [`    killed by ${mutants.map(placeOf).join(', ')}`]),
    ]),
    ...mutantLines(instance),
  ];
}

type Killers = ReturnType<typeof testTraces>[number];

const countsOf = ({ ablations, mutants }: Pick<Killers, 'ablations' | 'mutants'>): string =>
  ablations.length + mutants.length === 0
    ? 'fails by assertion nowhere'
    : `${counted(ablations.length, 'ablation')}, ${counted(mutants.length, 'mutant')}`;

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

const placeOf = ({ id, operator, path, line }: Mutant): string =>
  `${id} ${operator} ${path}:${line}`;

const VERDICTS = ['killed', 'survived', 'too-coarse', 'broken'] as const;

function mutantLines({ mutants, reach }: Instance): readonly string[] {
  if (mutants.length === 0 && reach === undefined) return [];
  const parts = [...new Set(mutants.map(({ part }) => part))];
  return [
    '',
    'mutants',
    ...parts.flatMap((part) => {
      const own = mutants.filter((mutant) => mutant.part === part);
      const counts = VERDICTS.flatMap((verdict) => {
        const count = own.filter((mutant) => mutant.verdict === verdict).length;
        return count === 0 ? [] : [`${count} ${verdict}`];
      });
      const alive = own.filter(({ verdict }) => verdict === 'survived').map(placeOf);
      const noted = alive.length === 0 ? '' : `; no test notices ${alive.join(', ')}`;
      return [`  ${part}: ${counts.join(', ')}${noted}`];
    }),
    ...(reach === undefined ? [] : [`  ${reachLine(reach)}`]),
  ];
}

const reachLine = ({ run, places, unreached }: NonNullable<Instance['reach']>): string =>
  run === null
    ? `of ${places} possible mutants each may stand on a line that no test runs: this runner cannot be asked, so whole test files ran`
    : `of ${places} possible mutants ${unreached} were left out: no target test's file runs their place`;
