import { z } from 'zod';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import { contractInWords } from '../contract/explain.ts';
import { Fault } from '../fault.ts';
import { promptSha, renderPrompt } from '../prompts/render.ts';
import { parseAnswer } from '../solve/answer.ts';
import { keepRequest, wireSchema } from '../solve/ask.ts';
import { assertFinished } from '../solve/rollout.ts';
import type { ControllerPorts, Proposed, RolloutPlan } from './controller.ts';
import { shortened } from './feedback.ts';
import type { Left, Shell } from './ports.ts';
import { type Retry, recovered } from './recovery.ts';
import { type Feedback, targetInWords } from './request.ts';

/** One turn in the shell: a command, or the word that the copy is done. */
const Turn = z.strictObject({ run: z.string(), done: z.boolean() });

const MAX_TURNS = 40;
const MAX_OUTPUT = 4000;
const DEFAULT_WALL_S = 3600;

type Session = {
  readonly lines: string[];
  readonly retries: Retry[];
  request: string;
  completion: Omit<Completion, 'text'> | null;
  left: Left | null;
};

/** A session that did not come to a candidate of its attempt, with the tree that it left all the same. */
export type LeftShell = {
  readonly attempt: number;
  /** A fault's code, `cancelled`, or the `proposal.*` code of an answer that was no turn. */
  readonly ended: string;
  readonly left: Left;
  /** Blob of the commands and what they said. */
  readonly said: string;
};

function turnRequest(
  plan: RolloutPlan,
  attempt: number,
  turn: number,
  feedback: Feedback,
  transcript: string,
): ModelRequest {
  const { subject, entrant, condition, replicate } = plan;
  const content = renderPrompt('shell-turn', {
    target: targetInWords(subject.contract),
    contract: contractInWords(subject.contract),
    diagnostic: feedback.diagnostic,
    transcript,
  });
  return {
    role: 'solver',
    entrant,
    condition,
    replicate,
    subject: subject.instance,
    attempt,
    reask: turn,
    messages: [{ role: 'user', content }],
    schema: { ...wireSchema(Turn), name: 'shell' },
    parameters: {},
  };
}

async function ask(
  plan: RolloutPlan,
  request: ModelRequest,
  session: Session,
  ports: ControllerPorts,
): Promise<Completion> {
  const { value, retries } = await recovered(plan.recovery, ports.clock, ports.signal, async () => {
    const answer = await ports.complete(request, ports.signal);
    assertFinished(answer, plan.entrant);
    return answer;
  });
  session.retries.push(...retries);
  session.request = keepRequest(ports.ledger, request);
  const { text: _, ...completion } = value;
  session.completion = completion;
  return value;
}

type Talk = {
  readonly plan: RolloutPlan;
  readonly attempt: number;
  readonly feedback: Feedback;
  readonly session: Session;
};

/** Turn by turn until the model says it is done, or turns or time are spent. An answer that is no turn is told as a reason. */
async function talk(
  { plan, attempt, feedback, session }: Talk,
  shell: Shell,
  ports: ControllerPorts,
): Promise<string | null> {
  const { clock } = ports;
  const until = clock.now() + (plan.subject.contract.limits.wall_s ?? DEFAULT_WALL_S) * 1000;
  for (let turn = 0; turn < MAX_TURNS && clock.now() < until; turn++) {
    const request = turnRequest(plan, attempt, turn, feedback, session.lines.join('\n'));
    const answer = parseAnswer(await ask(plan, request, session, ports), Turn);
    if (!answer.ok) return `proposal.syntax: ${answer.fault}, ${answer.detail}`;
    if (answer.value.done) break;
    const output = await shell.run(answer.value.run, until - clock.now());
    session.lines.push(`$ ${answer.value.run}\n${shortened(output, MAX_OUTPUT)}`);
  }
  return null;
}

const endOf = (error: unknown): string => (error instanceof Fault ? error.code : 'cancelled');

/**
 * One attempt in the shell interface: commands in a fresh copy without history and network, until the model says it is done, or
 * turns or time are spent; then the tree it left is the candidate. An answer that is no turn ends the attempt as invalid. Where the
 * attempt comes to no candidate, by a fault or a cancel too, the tree is kept all the same.
 */
export async function shellAttempt(
  plan: RolloutPlan,
  attempt: number,
  feedback: Feedback,
  ports: ControllerPorts,
): Promise<Proposed> {
  const { contract, base } = plan.subject;
  const { shells, signal, ledger } = ports;
  const session: Session = { lines: [], retries: [], request: '', completion: null, left: null };
  const keep = (left: Left) => {
    session.left = left;
  };
  const transcript = () => ledger.put(new TextEncoder().encode(session.lines.join('\n')));
  const keepFor = (ended: string) => {
    const { left } = session;
    if (left !== null) ports.keepLeft?.({ attempt, ended, left, said: transcript() });
  };
  let reason: string | null;
  try {
    reason = await shells.use({ contract, base, keep }, signal, (shell) =>
      talk({ plan, attempt, feedback, session }, shell, ports),
    );
  } catch (error) {
    keepFor(endOf(error));
    throw error;
  }
  if (reason !== null) keepFor('proposal.syntax');
  return proposedBy(session, reason, transcript());
}

function proposedBy(session: Session, reason: string | null, proposal: string): Proposed {
  const { request, completion, retries, left } = session;
  const head = {
    request,
    promptSha256: promptSha('shell-turn'),
    completion,
    retries,
    proposal,
    said: session.lines.join('\n'),
  };
  if (left === null) throw new Error('a shell was lent and nothing was collected');
  const why = reason ?? ('reason' in left ? left.reason : null);
  if (why !== null || 'reason' in left)
    return { ...head, proposalReason: why, candidate: null, discarded: [] };
  return { ...head, proposalReason: null, candidate: left.tree, discarded: [...left.discarded] };
}
