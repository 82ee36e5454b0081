import { sha256 } from '../../stages/contract/canonical-json.ts';

const task = { task: 'acme-limiter.1', revision: 1 };

function rollout(entrant: string, replicate: number, outcome: string | null) {
  const request = sha256(`request ${entrant} ${replicate}`);
  const attempt = {
    attempt: 1,
    request,
    proposal: outcome === null ? null : sha256('proposal'),
    proposalReason: null,
    candidate: outcome === null ? null : sha256('candidate'),
    report: null,
    build: { status: 'not-run', reason: null, runs: [], groups: [] },
  };
  return {
    ...task,
    id: `${entrant}-${replicate}`,
    entrant,
    family: entrant,
    by: 'recorded',
    condition: 'edits',
    replicate,
    attempts: [attempt],
    outcome,
    fault: outcome === null ? { code: 'model-unavailable', detail: 'no answer' } : null,
  };
}

const known = { input: 100, cachedInput: null, output: 20, reasoning: null };
const unknown = { input: null, cachedInput: null, output: null, reasoning: null };

const call = (entrant: string, replicate: number, usage: object, costMicroUsd: number | null) => ({
  request: sha256(`request ${entrant} ${replicate}`),
  role: 'solver',
  entrant,
  model: `${entrant}-model`,
  usage,
  costMicroUsd,
});

/** A verdict on the story's task; the witness is asked for by its verdict. */
export function verdictOf(id: string, verdict: 'false-positive' | 'suspect' | 'aligned') {
  const shared = {
    ...task,
    id,
    mode: 'keyless',
    target: {
      test: 'test/rules.test.mjs > limit > refuses the fourth call',
      clause: 'R1.a',
      coupling: null,
    },
    side: 'FP',
    kind: 'wrong-accepted',
    reasonCode: 'FP1',
    detail: 'a wrong candidate passes',
    citations: [],
    verdict,
  };
  const witness = {
    id: `w-${id}`,
    type: 'candidate',
    candidate: 'off-by-one',
    tree: sha256('off-by-one'),
    expected: [],
    replayCommand: `pipeline review --witness w-${id}`,
  };
  if (verdict === 'false-positive') return { ...shared, witness };
  return verdict === 'suspect' ? { ...shared, suspectReason: 'one reader only' } : shared;
}

/** What happened to the story's task before its release: two entrants, one answered verdict, one repair. */
export function history(base: string) {
  return {
    rollouts: [
      rollout('alpha', 0, 'valid-success'),
      rollout('alpha', 1, 'safe-failure'),
      rollout('beta', 0, 'rejected-violation'),
      rollout('beta', 1, null),
    ],
    calls: [
      call('alpha', 0, known, 1500),
      call('alpha', 1, known, 500),
      call('beta', 0, unknown, null),
    ],
    verdicts: [verdictOf('v2', 'suspect'), verdictOf('v3', 'aligned')],
    kept: {
      wrong: [{ id: 'off-by-one', tree: sha256('off-by-one') }],
      right: [],
      answered: [verdictOf('v1', 'false-positive')],
      repairs: [
        {
          id: 'repair-1',
          round: 1,
          fromRevision: 0,
          verdicts: ['v1'],
          action: 'edit-test',
          request: sha256('repair'),
          proposal: sha256('repair proposal'),
          edits: [{ path: 'test/rules.test.mjs', before: base, after: base }],
          acceptance: [{ rule: 'gold-passes', result: 'pass', detail: '' }],
          disposition: 'accepted',
        },
      ],
      lineage: [
        {
          revision: 1,
          parent: sha256('revision 0'),
          content: sha256('revision 1'),
          cause: 'repair-1',
          edited: ['test/rules.test.mjs'],
          verdicts: ['v1'],
        },
      ],
    },
  };
}
