import type { Build } from '../../schemas/attempt.ts';
import type { FaultCode } from '../../schemas/fault-code.ts';
import type { Grade } from '../../schemas/grade.ts';
import type { Rollout } from '../../schemas/rollout.ts';

/** The grade of a Build; null where nothing was built. Once its control has held, whatever its run lacks is the candidate's. */
export function gradeOfBuild({ status, reason }: Build): Grade | null {
  if (status === 'not-run') return null;
  if (status === 'true') return 'passed';
  return reason?.startsWith('build.tampered') === true ? 'tampered' : 'failed';
}

/** Faults of whoever was asked for a candidate; where they end a rollout there is none to grade. */
const ofModel = (code: FaultCode) => /^(?:model|recording|script|budget|quota)-/u.test(code);

/** The grade that a Fault leaves; null where it came before there was a candidate. */
export function gradeOfFault(code: FaultCode): Grade | null {
  if (ofModel(code)) return null;
  return code === 'run-ungradable' ? 'ungradable' : 'fault';
}

/** How often each grade was given, over all attempts. */
export function gradesOf(rollouts: readonly Rollout[]): Partial<Record<Grade, number>> {
  const counts: Partial<Record<Grade, number>> = {};
  const all = rollouts.flatMap(({ attempts, fault }) => [
    ...attempts.map(({ build }) => gradeOfBuild(build)),
    fault === null ? null : gradeOfFault(fault.code),
  ]);
  for (const grade of all) if (grade !== null) counts[grade] = (counts[grade] ?? 0) + 1;
  return counts;
}
