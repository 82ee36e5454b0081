import type { Outcome } from '../../schemas/outcome.ts';

/** CAPRI's conditions in the order of its tables. */
export const capriConditions = ['C0', 'C1', 'C2', 'C3', 'C4'] as const;

/** Tables 2 and 4 of arXiv 2608.13459v1: valid rollouts of three, by task and condition. */
export const capriTasks: readonly {
  readonly task: string;
  readonly stratum: 'historical' | 'controlled';
  readonly difficulty: 'local' | 'intermediate' | 'structural';
  readonly valid: readonly [number, number, number, number, number];
}[] = [
  {
    task: 'rule-renaming',
    stratum: 'historical',
    difficulty: 'intermediate',
    valid: [0, 2, 0, 0, 3],
  },
  { task: 'identity-defeater', stratum: 'historical', difficulty: 'local', valid: [3, 3, 3, 3, 3] },
  {
    task: 'selected-response',
    stratum: 'controlled',
    difficulty: 'structural',
    valid: [2, 3, 3, 2, 3],
  },
  { task: 'activation', stratum: 'controlled', difficulty: 'local', valid: [1, 3, 3, 1, 3] },
  {
    task: 'safety-renaming',
    stratum: 'historical',
    difficulty: 'structural',
    valid: [0, 0, 0, 0, 0],
  },
  {
    task: 'refusal-occurrence',
    stratum: 'historical',
    difficulty: 'structural',
    valid: [1, 2, 2, 1, 2],
  },
  {
    task: 'healthy-refinement',
    stratum: 'controlled',
    difficulty: 'intermediate',
    valid: [1, 3, 3, 2, 3],
  },
  { task: 'antecedent-fact', stratum: 'historical', difficulty: 'local', valid: [3, 3, 3, 3, 3] },
  {
    task: 'rule-lookup',
    stratum: 'historical',
    difficulty: 'intermediate',
    valid: [3, 3, 3, 3, 3],
  },
  { task: 'normal-form', stratum: 'controlled', difficulty: 'structural', valid: [3, 3, 3, 3, 3] },
  { task: 'gap-closure', stratum: 'controlled', difficulty: 'local', valid: [3, 3, 3, 3, 3] },
  {
    task: 'transfer-coverage',
    stratum: 'controlled',
    difficulty: 'intermediate',
    valid: [2, 3, 3, 3, 3],
  },
];

/** Table 3: outcomes of 36 rollouts; C3's one "other" is an invalid candidate, which follows from the totals. */
export const capriOutcomes: Record<(typeof capriConditions)[number], Record<Outcome, number>> = {
  C0: {
    'valid-success': 22,
    'false-success': 0,
    'safe-failure': 10,
    'rejected-violation': 2,
    'invalid-candidate': 2,
  },
  C1: {
    'valid-success': 31,
    'false-success': 3,
    'safe-failure': 2,
    'rejected-violation': 0,
    'invalid-candidate': 0,
  },
  C2: {
    'valid-success': 29,
    'false-success': 0,
    'safe-failure': 7,
    'rejected-violation': 0,
    'invalid-candidate': 0,
  },
  C3: {
    'valid-success': 24,
    'false-success': 0,
    'safe-failure': 11,
    'rejected-violation': 0,
    'invalid-candidate': 1,
  },
  C4: {
    'valid-success': 32,
    'false-success': 3,
    'safe-failure': 1,
    'rejected-violation': 0,
    'invalid-candidate': 0,
  },
};
