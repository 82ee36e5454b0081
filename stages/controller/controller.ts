import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { AttemptRecord, Condition, Recovery } from '../../schemas/experiment.ts';
import type { FaultCode } from '../../schemas/fault-code.ts';
import type { Outcome } from '../../schemas/outcome.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { Clock, Ledger } from '../context.ts';
import { attemptClass, outcomeOf } from '../contract/outcome.ts';
import { Fault } from '../fault.ts';
import { promptSha } from '../prompts/render.ts';
import { keepRequest } from '../solve/ask.ts';
import { makeCandidate } from '../solve/candidate.ts';
import { parseProposal, reasonOf } from '../solve/proposal.ts';
import { assertFinished } from '../solve/rollout.ts';
import { buildDiagnostic, contractDiagnostic } from './feedback.ts';
import { judgeStep, notRun } from './judge.ts';
import type { Builder, Shells } from './ports.ts';
import { type Retry, recovered } from './recovery.ts';
import { type Asker, type Feedback, proposalRequest, type Subject } from './request.ts';
import { type LeftShell, shellAttempt } from './shell.ts';

export type ControllerPorts = {
  readonly complete: (request: ModelRequest, signal: AbortSignal) => Promise<Completion>;
  readonly builder: Builder;
  readonly shells: Shells;
  readonly ledger: Pick<Ledger, 'put' | 'get'>;
  readonly clock: Clock;
  readonly parse: Parse;
  readonly signal: AbortSignal;
  /** Called for each shell session that came to no candidate of its attempt. */
  readonly keepLeft?: (left: LeftShell) => void;
};

export type RolloutPlan = Asker & {
  readonly subject: Subject;
  readonly given: Condition;
  readonly recovery: Recovery;
  /** What the baseline's build said, for conditions that show it first. */
  readonly baseline: string;
};

/** How a rollout ended: attempts with an outcome, or the fault that left it incomplete. */
export type Ended = {
  readonly attempts: readonly AttemptRecord[];
  readonly outcome: Outcome | null;
  readonly fault: { readonly code: FaultCode; readonly detail: string } | null;
};

/** What a proposal, or a shell session, came to before it is judged. */
export type Proposed = Pick<
  AttemptRecord,
  | 'request'
  | 'promptSha256'
  | 'completion'
  | 'proposal'
  | 'proposalReason'
  | 'candidate'
  | 'discarded'
> & { readonly retries: readonly Retry[]; readonly said: string };

async function propose(
  plan: RolloutPlan,
  attempt: number,
  feedback: Feedback,
  ports: ControllerPorts,
): Promise<Proposed> {
  const { subject, given, recovery } = plan;
  const { ledger, clock, signal } = ports;
  const asker = { entrant: plan.entrant, condition: plan.condition, replicate: plan.replicate };
  const request = proposalRequest(subject, asker, given, attempt, feedback, ledger.get);
  const { value: answer, retries } = await recovered(recovery, clock, signal, async () => {
    const completion = await ports.complete(request, signal);
    assertFinished(completion, plan.entrant);
    return completion;
  });
  const { text, ...completion } = answer;
  const kind = given.interface === 'body' ? 'body' : 'edits';
  const head = {
    request: keepRequest(ledger, request),
    promptSha256: promptSha(kind === 'body' ? 'prove-body' : 'prove-edits'),
    completion,
    retries,
    proposal: ledger.put(new TextEncoder().encode(text)),
    discarded: [],
    said: text,
  };
  const parsed = parseProposal(answer, kind);
  if (!parsed.ok) return { ...head, proposalReason: reasonOf(parsed), candidate: null };
  const made = makeCandidate(subject, parsed.proposal, ledger);
  return made.ok
    ? { ...head, proposalReason: null, candidate: made.tree }
    : { ...head, proposalReason: reasonOf(made), candidate: null };
}

type Turn = { readonly record: AttemptRecord; readonly said: string };

async function attemptOnce(
  plan: RolloutPlan,
  attempt: number,
  feedback: Feedback,
  ports: ControllerPorts,
): Promise<Turn> {
  const make = plan.given.interface === 'shell' ? shellAttempt : propose;
  const { said, ...proposed } = await make(plan, attempt, feedback, ports);
  const { subject, recovery } = plan;
  const { candidate } = proposed;
  const head = { attempt, ...proposed, retries: [...proposed.retries] };
  if (candidate === null) {
    const build = notRun;
    return { said, record: { ...head, report: null, statement: null, build, class: 'invalid' } };
  }
  const { ledger, clock, signal, builder, parse } = ports;
  const judged = await recovered(recovery, clock, signal, () =>
    judgeStep({ ...subject, candidate }, { builder, read: ledger.get, parse, signal }),
  );
  const retries = [...proposed.retries, ...judged.retries];
  const record = { ...head, ...judged.value, retries };
  return { said, record: { ...record, class: attemptClass(record) } };
}

/** What the next request carries: the last answer, and what was said of it. Under `measure` the contract's report is never shown. */
function feedbackOn(
  { record, said }: Turn,
  { subject, given }: RolloutPlan,
  { ledger }: ControllerPorts,
): Feedback {
  const { report, build, proposalReason } = record;
  if (proposalReason !== null)
    return { previous: said, diagnostic: `The answer could not be used: ${proposalReason}` };
  const isRefused = given.order === 'contract-first' && report !== null && !report.conforms;
  if (isRefused) return { previous: said, diagnostic: contractDiagnostic(report) };
  const log =
    build.logNormalisedBlob === null
      ? ''
      : new TextDecoder().decode(ledger.get(build.logNormalisedBlob));
  return { previous: said, diagnostic: buildDiagnostic(subject.contract, build, log) };
}

const isStop = ({ record }: Turn) =>
  record.class === 'valid-success' || record.class === 'false-success';

/** Faults after which the run itself cannot go on; the rollout stays open and the same command takes it up again. */
const passing = new Set<FaultCode>([
  'model-waiting',
  'budget-exhausted',
  'quota-exhausted',
  'disk-full',
  'out-not-writable',
]);

/**
 * One rollout: attempts up to the limit, each on a fresh copy of the base, up to the first that builds. False success is terminal.
 * A fault that outlives the frozen recovery rule leaves the rollout without an outcome, which is never a class.
 * Source: contracts.md 10 to 12.
 */
export async function runRollout(plan: RolloutPlan, ports: ControllerPorts): Promise<Ended> {
  const turns: Turn[] = [];
  let feedback: Feedback = {
    previous: '',
    diagnostic: plan.given.diagnosticFirst ? plan.baseline : '',
  };
  try {
    while (turns.length < plan.given.attempts) {
      ports.signal.throwIfAborted();
      const turn = await attemptOnce(plan, turns.length + 1, feedback, ports);
      turns.push(turn);
      if (isStop(turn)) break;
      feedback = feedbackOn(turn, plan, ports);
    }
  } catch (error) {
    if (!(error instanceof Fault) || passing.has(error.code)) throw error;
    const attempts = turns.map(({ record }) => record);
    return { attempts, outcome: null, fault: { code: error.code, detail: error.message } };
  }
  const [first, ...rest] = turns.map(({ record }) => record);
  if (first === undefined) throw new Error('a rollout has at least one attempt');
  return { attempts: [first, ...rest], outcome: outcomeOf([first, ...rest]), fault: null };
}
