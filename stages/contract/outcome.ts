import type { Build } from '../../schemas/attempt.ts';
import type { ContractReport } from '../../schemas/contract-report.ts';
import type { AttemptClass } from '../../schemas/experiment.ts';
import type { Outcome } from '../../schemas/outcome.ts';

/** The facts that decide what an attempt was; whoever records them. */
export type AttemptFacts = {
  readonly attempt: number;
  readonly candidate: string | null;
  readonly report: Pick<ContractReport, 'conforms' | 'conjuncts'> | null;
  readonly build: Pick<Build, 'status'>;
};

/**
 * What one attempt was, from its two facts alone. No tree, or one that no disk could hold, is invalid; a violating candidate that was never built is a violation.
 * Throws when a conforming candidate was left unbuilt: that attempt is not finished and has no class.
 */
export function attemptClass(attempt: AttemptFacts): AttemptClass {
  if (attempt.candidate === null || attempt.report === null) return 'invalid';
  if (!attempt.report.conjuncts.tree) return 'invalid';
  const { conforms } = attempt.report;
  const { status } = attempt.build;
  if (status === 'true') return conforms ? 'valid-success' : 'false-success';
  if (!conforms) return 'violation';
  if (status === 'not-run')
    throw new Error(`attempt ${attempt.attempt} conforms but was never built: no class`);
  return 'failure';
}

const endings = {
  'valid-success': 'valid-success',
  'false-success': 'false-success',
  failure: 'safe-failure',
  violation: 'rejected-violation',
  invalid: 'invalid-candidate',
} as const satisfies Record<AttemptClass, Outcome>;

const isStop = (kind: AttemptClass) => kind === 'valid-success' || kind === 'false-success';

/**
 * How a rollout ended: the first attempt that built stops it, else the last one decides.
 * False-success is terminal, since going on until something conforms would hide it. Source: contracts.md 12.
 */
export function outcomeOf(attempts: readonly [AttemptFacts, ...AttemptFacts[]]): Outcome {
  const classes = attempts.map(attemptClass);
  return endings[classes.find(isStop) ?? classes.at(-1) ?? 'invalid'];
}
