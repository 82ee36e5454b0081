import type { Contract } from '../../schemas/contract.ts';
import type { ContractReport } from '../../schemas/contract-report.ts';
import type { AttemptRecord, Condition, Frozen, RolloutRecord } from '../../schemas/experiment.ts';
import type { Parse } from '../../schemas/syntax.ts';
import { assuranceOf } from '../../stages/contract/assurance.ts';
import { canonicalJson } from '../../stages/contract/canonical-json.ts';
import { checkConforms } from '../../stages/contract/conforms.ts';
import { attemptClass, outcomeOf } from '../../stages/contract/outcome.ts';
import { effective } from '../../stages/controller/conditions.ts';
import { withStatement } from '../../stages/controller/judge.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { makeCandidate } from '../../stages/solve/candidate.ts';
import { parseProposal, reasonOf } from '../../stages/solve/proposal.ts';
import { auditOf, type Difference, planDifference, sumsDifference } from './closed-record.ts';
import type { LoadedInstance } from './instance.ts';
import type { ExperimentRecord } from './record.ts';

type World = {
  readonly parse: Parse;
  readonly signal: AbortSignal;
  /** Null: builds are taken as recorded. */
  readonly builder: Builder | null;
};

function differ(at: string, recorded: unknown, found: unknown): Difference | null {
  const [then, now] = [canonicalJson(recorded), canonicalJson(found)];
  if (then === now) return null;
  const same = [...then].findIndex((char, index) => char !== now[index]);
  const from = Math.max(0, (same < 0 ? now.length : same) - 100);
  const part = (text: string) => `${from === 0 ? '' : '…'}${text.slice(from, from + 400)}`;
  return { at, recorded: part(then), found: part(now) };
}

/** What a verdict rests on. Warnings are worded by the rules of a version and decide nothing; the sums still hold them. */
const deciding = ({ warnings: _, ...rest }: ContractReport) => rest;

type Made = { readonly candidate: string | null; readonly reason: string | null };

/** The candidate once more, from the base and the stored reply. A shell's tree cannot be made again from its transcript. */
function remade(
  attempt: AttemptRecord,
  step: { contract: Contract; base: string },
  given: Condition,
  record: ExperimentRecord,
): Made {
  const { completion, proposal, candidate, proposalReason } = attempt;
  if (given.interface === 'shell' || completion === null || proposal === null)
    return { candidate, reason: proposalReason };
  const text = new TextDecoder().decode(record.blobs.get(proposal));
  const parsed = parseProposal({ ...completion, text }, given.interface);
  if (!parsed.ok) return { candidate: null, reason: reasonOf(parsed) };
  const made = makeCandidate(step, parsed.proposal, record.blobs);
  return made.ok
    ? { candidate: made.tree, reason: null }
    : { candidate: null, reason: reasonOf(made) };
}

const outcomeOfBuild = ({ status, reasons, results }: AttemptRecord['build']) => ({
  status,
  codes: reasons.map(({ code }) => code),
  results,
});

async function buildDifference(
  at: string,
  attempt: AttemptRecord,
  step: { contract: Contract; base: string },
  { builder, signal }: World,
): Promise<Difference | null> {
  const { candidate, build, statement } = attempt;
  if (builder === null || candidate === null || build.status === 'not-run') return null;
  const again = await builder.build({ contract: step.contract, tree: candidate }, signal);
  const built = differ(`${at} build`, outcomeOfBuild(build), outcomeOfBuild(again));
  if (built !== null || again.status !== 'true') return built;
  const probed = await builder.probe({ ...step, tree: candidate }, signal);
  return differ(`${at} statement`, statement, probed);
}

async function attemptDifference(
  at: string,
  attempt: AttemptRecord,
  step: { contract: Contract; base: string },
  given: Condition,
  record: ExperimentRecord,
  world: World,
): Promise<Difference | null> {
  const made = remade(attempt, step, given, record);
  const { candidate, proposalReason, report, statement, build } = attempt;
  const first = differ(`${at} candidate`, { candidate, reason: proposalReason }, made);
  if (first !== null || candidate === null) return first;
  const plain = checkConforms({ ...step, candidate, read: record.blobs.get, parse: world.parse });
  const told = withStatement(plain, statement);
  const whole =
    build.status === 'not-run'
      ? told
      : { ...told, assurance: assuranceOf(step.contract, told.conjuncts, build) };
  return (
    differ(`${at} report`, report && deciding(report), deciding(whole)) ??
    differ(`${at} class`, attempt.class, attemptClass({ ...attempt, report: whole })) ??
    (await buildDifference(at, attempt, step, world))
  );
}

async function rolloutDifference(
  rollout: RolloutRecord,
  loaded: LoadedInstance,
  given: Condition,
  record: ExperimentRecord,
  world: World,
): Promise<Difference | null> {
  const step = { contract: effective(loaded.contract, given), base: loaded.base };
  for (const attempt of rollout.attempts) {
    const at = `${rollout.rollout} attempt ${attempt.attempt}`;
    const found = await attemptDifference(at, attempt, step, given, record, world);
    if (found !== null) return found;
  }
  const [first, ...rest] = rollout.attempts;
  if (first === undefined || rollout.incompleteFault !== null) return null;
  return differ(`${rollout.rollout} outcome`, rollout.outcome, outcomeOf([first, ...rest]));
}

/**
 * A record against itself: sums first, then every candidate, report, class and outcome made again; with a builder also every
 * build. Returns the first difference, null where there is none. Nothing is repaired. Source: contracts.md 15.
 */
export async function replayRecord(
  frozen: Frozen,
  instances: readonly LoadedInstance[],
  record: ExperimentRecord,
  world: World,
): Promise<{
  readonly difference: Difference | null;
  readonly rollouts: number;
  readonly attempts: number;
}> {
  let attempts = 0;
  const broken = sumsDifference(record.folder);
  if (broken !== null) return { difference: broken, rollouts: 0, attempts };
  const rollouts = auditOf(record.folder);
  const scheduled = frozen.schedule.map(
    ({ instance, entrant, condition, replicate }) =>
      `${instance}/${entrant}/${condition}/${replicate}`,
  );
  const names = rollouts.map(({ rollout }) => rollout);
  const listed = planDifference(frozen.plan, rollouts) ?? differ('schedule', scheduled, names);
  if (listed !== null) return { difference: listed, rollouts: 0, attempts };
  for (const [at, rollout] of rollouts.entries()) {
    const loaded = instances.find(({ id }) => id === rollout.instance);
    const given = frozen.conditions.find(({ name }) => name === rollout.condition);
    if (loaded === undefined || given === undefined)
      return {
        difference: {
          at: rollout.rollout,
          recorded: rollout.condition,
          found: 'no such instance or condition',
        },
        rollouts: at,
        attempts,
      };
    attempts += rollout.attempts.length;
    const difference = await rolloutDifference(rollout, loaded, given, record, world);
    if (difference !== null) return { difference, rollouts: at, attempts };
  }
  return { difference: null, rollouts: rollouts.length, attempts };
}
