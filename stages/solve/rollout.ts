import type { Attempt } from '../../schemas/attempt.ts';
import { BrokenFinish, type Completion, type ModelRequest } from '../../schemas/completion.ts';
import type { FaultCode } from '../../schemas/fault-code.ts';
import type { Rollout } from '../../schemas/rollout.ts';
import type { Entrant } from '../../schemas/run-settings.ts';
import { outcomeOf } from '../contract/outcome.ts';
import { contractDiagnostic } from '../controller/feedback.ts';
import { Fault } from '../fault.ts';
import { keepRequest } from './ask.ts';
import { makeCandidate } from './candidate.ts';
import type { Bench } from './grade.ts';
import { judgeCandidate } from './judge-candidate.ts';
import { notBuilt } from './judge-run.ts';
import { parseProposal, type Refusal, reasonOf } from './proposal.ts';
import { type Condition, solverRequest } from './request.ts';

/** Who is asked, in which form, and which of the replicates it is. */
export type Plan = {
  readonly entrant: Entrant;
  readonly condition: Condition;
  readonly replicate: number;
};

const providers: Record<string, Rollout['by']> = {
  openai: 'model',
  mailbox: 'mailbox',
  recorded: 'recorded',
  scripted: 'scripted',
};

/** A reply that the connection or the server ended is the world's doing: no attempt, no outcome. */
export function assertFinished({ finish }: Completion, entrant: string): void {
  if (!BrokenFinish.safeParse(finish).success) return;
  throw new Fault(
    `answer of ${entrant} failed: the reply ended as "${finish}". Run the same command again.`,
    {
      code: finish === 'unreadable' ? 'model-unreadable' : 'model-unavailable',
    },
  );
}

type Draft = Pick<Attempt, 'attempt' | 'request' | 'proposal'>;

const invalid = (draft: Draft, refusal: Refusal): Attempt => ({
  ...draft,
  proposalReason: reasonOf(refusal),
  candidate: null,
  report: null,
  build: notBuilt,
});

type Turn = { readonly record: Attempt; readonly said: string };

/** What an entrant is told of its last try: codes and ids, as the contract lets it see; never protected text. */
function toldOf({ record }: Turn, { visible }: Bench['task']['contract']): string {
  const { report, build, proposalReason } = record;
  if (proposalReason !== null) return `The answer could not be used: ${proposalReason}`;
  if (report !== null && !report.conforms) return contractDiagnostic(report);
  return visible.diagnostic === 'none'
    ? 'It does not pass.'
    : `It does not pass: ${build.reason ?? ''}`;
}

/** The same question with everything that was answered so far and what became of it. Edits always apply to the base. */
function again(first: ModelRequest, turns: readonly Turn[], { task }: Bench): ModelRequest {
  const later = turns.flatMap((turn) => [
    { role: 'assistant' as const, content: turn.said.trim() === '' ? '(empty)' : turn.said },
    {
      role: 'user' as const,
      content: `${toldOf(turn, task.contract)}\n\nAnswer again with one whole JSON object. It applies to the files as they were shown, not to your last answer.`,
    },
  ]);
  return { ...first, attempt: turns.length + 1, messages: [...first.messages, ...later] };
}

/** One proposal, from the question to its two facts. The raw reply is kept whatever becomes of it. */
async function attemptOnce(
  bench: Bench,
  { entrant, condition, replicate }: Plan,
  turns: readonly Turn[],
): Promise<Turn> {
  const { task, context } = bench;
  const { ledger, signal } = context;
  const asker = { role: 'solver', entrant: entrant.name, condition, replicate } as const;
  const request = again(solverRequest(task, asker, condition, context), turns, bench);
  const asked = keepRequest(ledger, request);
  const completion = await context.model('solver', entrant.name).complete(request, signal);
  assertFinished(completion, entrant.name);
  const proposal = ledger.put(new TextEncoder().encode(completion.text));
  const said = completion.text;
  const draft = { attempt: turns.length + 1, request: asked, proposal };
  const parsed = parseProposal(completion, condition);
  if (!parsed.ok) return { said, record: invalid(draft, parsed) };
  const made = makeCandidate(
    { contract: task.contract, base: task.base.tree },
    parsed.proposal,
    ledger,
  );
  if (!made.ok) return { said, record: invalid(draft, made) };
  const judged = await judgeCandidate(bench, made.tree, task.contract.order);
  return { said, record: { ...draft, proposalReason: null, ...judged } };
}

/** Attempts up to the contract's limit, up to the first that builds; false success ends them too. */
async function attemptAll(bench: Bench, plan: Plan): Promise<[Attempt, ...Attempt[]]> {
  const first = await attemptOnce(bench, plan, []);
  const turns: Turn[] = [first];
  const records: [Attempt, ...Attempt[]] = [first.record];
  const isBuilt = ({ build }: Attempt) => build.status === 'true';
  while (
    records.length < bench.task.contract.limits.attempts &&
    !isBuilt(records.at(-1) ?? records[0])
  ) {
    const turn = await attemptOnce(bench, plan, turns);
    turns.push(turn);
    records.push(turn.record);
  }
  return records;
}

/** Faults after which the run itself cannot go on; the rollout is not closed, and the same command takes it up again. */
const passing = new Set<FaultCode>([
  'model-waiting',
  'budget-exhausted',
  'quota-exhausted',
  'disk-full',
  'out-not-writable',
  'ledger-busy',
  'ledger-damaged',
  'ledger-unsealed',
  'blob-missing',
  'blob-damaged',
]);

/**
 * One entrant on one instance under one condition. It ends in one of five outcomes; a Fault leaves it without one, which is
 * never zero. Faults of the run itself and a mailbox without an answer pass through.
 */
export async function runRollout(bench: Bench, plan: Plan): Promise<Rollout> {
  const { task } = bench;
  const { entrant, condition, replicate } = plan;
  const head = {
    id: `${task.id}@${task.revision}/${entrant.name}/${condition}/${replicate}`,
    task: task.id,
    revision: task.revision,
    entrant: entrant.name,
    family: entrant.family,
    by: providers[entrant.provider] ?? 'model',
    condition,
    replicate,
  };
  try {
    const attempts = await attemptAll(bench, plan);
    return { ...head, attempts, outcome: outcomeOf(attempts), fault: null };
  } catch (error) {
    if (!(error instanceof Fault) || passing.has(error.code)) throw error;
    const fault = { code: error.code, detail: error.message };
    return { ...head, attempts: [], outcome: null, fault };
  }
}
