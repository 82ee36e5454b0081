import type { Attempt } from '../../schemas/attempt.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import type { Rollout } from '../../schemas/rollout.ts';
import { digestOf } from '../contract/canonical-json.ts';
import { authoritySha } from '../contract/conforms.ts';
import { asciiJson, byText } from './text.ts';

/** Release order: by task id. */
export const inOrder = (inputs: readonly ReleaseInput[]): ReleaseInput[] =>
  inputs.toSorted((left, right) => byText(left.task.id, right.task.id));

type Calls = ReadonlyMap<string, ReleaseInput['calls'][number]>;

function attemptLine(attempt: Attempt, rollout: Rollout, calls: Calls) {
  const call = attempt.request === null ? undefined : calls.get(attempt.request);
  const { report, build } = attempt;
  return {
    kind: 'attempt',
    rollout_id: rollout.id,
    attempt: attempt.attempt,
    request_blob: attempt.request,
    model_returned: call?.model ?? null,
    tokens_in: call?.usage.input ?? null,
    tokens_out: call?.usage.output ?? null,
    proposal_blob: attempt.proposal,
    proposal_reason: attempt.proposalReason,
    candidate_manifest: attempt.candidate,
    conforms: report?.conforms ?? null,
    conforms_eq2: report?.conformsEq2 ?? null,
    conjuncts: report?.conjuncts ?? null,
    reasons: report?.reasons ?? [],
    warnings: report?.warnings ?? [],
    assurance: report?.assurance ?? null,
    build: { status: build.status, reason: build.reason, runs: build.runs, groups: build.groups },
  };
}

function rolloutLines(rollout: Rollout, { task }: ReleaseInput, calls: Calls): object[] {
  const { attempts } = rollout;
  const violation = attempts.find(({ report }) => report?.conforms === false);
  const head = {
    kind: 'rollout',
    rollout_id: rollout.id,
    instance_id: task.id,
    revision: rollout.revision,
    entrant: rollout.entrant,
    by: rollout.by,
    condition: rollout.condition,
    replicate: rollout.replicate,
    contract_sha256: digestOf(task.contract),
    authority_sha256: authoritySha(task.contract),
    base_manifest: task.base.tree,
    outcome: rollout.outcome,
    attempts_counted: attempts.length,
    any_violation: violation !== undefined,
    any_invalid: attempts.some(({ candidate }) => candidate === null),
    first_violation_attempt: violation?.attempt ?? null,
    incomplete_fault: rollout.fault?.code ?? null,
  };
  return [head, ...attempts.map((attempt) => attemptLine(attempt, rollout, calls))];
}

function linesOf(input: ReleaseInput): object[] {
  const { task, instance, rollouts, verdicts, kept, calls } = input;
  const byRequest = new Map(calls.map((call) => [call.request, call]));
  const of = { instance_id: task.id, revision: task.revision };
  return [
    {
      kind: 'task',
      ...of,
      seeds: task.seeds,
      gold_tree: instance.goldTree,
      repeats: instance.repeats,
    },
    ...instance.matrix.map(({ name, subset, tree, run, cells }) => ({
      kind: 'matrix',
      ...of,
      name,
      subset,
      tree,
      run,
      cells,
    })),
    ...instance.mutants.map((mutant) => ({ kind: 'mutant', ...of, ...mutant })),
    ...instance.soloMerges.map((merge) => ({ kind: 'solo-merge', ...of, ...merge })),
    ...instance.controls.map((control) => ({ kind: 'control', ...of, ...control })),
    ...rollouts
      .toSorted((left, right) => byText(left.id, right.id))
      .flatMap((rollout) => rolloutLines(rollout, input, byRequest)),
    ...kept.answered.map((verdict) => ({ kind: 'verdict', ...of, state: 'answered', verdict })),
    ...verdicts.map((verdict) => ({ kind: 'verdict', ...of, state: 'open', verdict })),
    ...kept.repairs.map((repair) => ({ kind: 'repair', ...of, repair })),
  ];
}

/** `audit.jsonl`: what was tried and measured for each task, one fact a line, blobs by name. */
export const auditText = (inputs: readonly ReleaseInput[]): string =>
  inOrder(inputs)
    .flatMap(linesOf)
    .map((line) => `${asciiJson(line)}\n`)
    .join('');
