import { z } from 'zod';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import { contractInWords } from '../contract/explain.ts';
import { promptSha, renderPrompt } from '../prompts/render.ts';
import { parseAnswer } from '../solve/answer.ts';
import { keepRequest, wireSchema } from '../solve/ask.ts';
import { assertFinished } from '../solve/rollout.ts';
import type { ControllerPorts, Proposed, RolloutPlan } from './controller.ts';
import { shortened } from './feedback.ts';
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

/**
 * One attempt in the shell interface: commands in a fresh copy without history and network, until the model says it is done, or
 * turns or time are spent; then the tree it left is collected. An answer that is no turn ends the attempt as invalid.
 */
export async function shellAttempt(
  plan: RolloutPlan,
  attempt: number,
  feedback: Feedback,
  ports: ControllerPorts,
): Promise<Proposed> {
  const { contract, base } = plan.subject;
  const { clock, shells, signal, ledger } = ports;
  const session: Session = { lines: [], retries: [], request: '', completion: null };
  const until = clock.now() + (contract.limits.wall_s ?? DEFAULT_WALL_S) * 1000;
  const left = await shells.use({ contract, base }, signal, async (shell) => {
    for (let turn = 0; turn < MAX_TURNS && clock.now() < until; turn++) {
      const request = turnRequest(plan, attempt, turn, feedback, session.lines.join('\n'));
      const answer = parseAnswer(await ask(plan, request, session, ports), Turn);
      if (!answer.ok) return { reason: `proposal.syntax: ${answer.fault}, ${answer.detail}` };
      if (answer.value.done) break;
      const output = await shell.run(answer.value.run, until - clock.now());
      session.lines.push(`$ ${answer.value.run}\n${shortened(output, MAX_OUTPUT)}`);
    }
    return await shell.collect();
  });
  const said = session.lines.join('\n');
  const head = {
    request: session.request,
    promptSha256: promptSha('shell-turn'),
    completion: session.completion,
    retries: session.retries,
    proposal: ledger.put(new TextEncoder().encode(said)),
    said,
  };
  if ('reason' in left)
    return { ...head, proposalReason: left.reason, candidate: null, discarded: [] };
  return { ...head, proposalReason: null, candidate: left.tree, discarded: [...left.discarded] };
}
