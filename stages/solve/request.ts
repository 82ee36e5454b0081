import type { ModelRequest, Role } from '../../schemas/completion.ts';
import { BodyProposal, EditsProposal } from '../../schemas/proposal.ts';
import type { Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { renderPrompt } from '../prompts/render.ts';
import { requirementText, solverView } from '../views/solver-view.ts';
import { wireSchema } from './ask.ts';

export type Condition = 'edits' | 'body';

/** The interface of a rollout: what the run asks for, else bodies where the contract has regions and edits where it has files. */
export function conditionFor(wanted: 'auto' | Condition, { contract }: Task): Condition {
  if (wanted !== 'auto') return wanted;
  return contract.editable.some(({ region }) => region !== undefined) ? 'body' : 'edits';
}

/** Who is asked, and which of several equal questions it is. */
export type Asker = {
  readonly role: Role;
  readonly entrant: string;
  readonly condition: string;
  readonly replicate: number;
};

function requestOf(
  task: Task,
  asker: Asker,
  content: string,
  interfaceKind: Condition,
): ModelRequest {
  const schema = interfaceKind === 'body' ? BodyProposal : EditsProposal;
  return {
    ...asker,
    subject: task.id,
    attempt: 1,
    reask: 0,
    messages: [{ role: 'user', content }],
    schema: { ...wireSchema(schema), name: interfaceKind },
    parameters: {},
  };
}

/** The first request of a rollout on the whole task. */
export function solverRequest(
  task: Task,
  asker: Asker,
  kind: Condition,
  { ledger }: Context,
): ModelRequest {
  const { statement, contract, files, regions, listing } = solverView(task, ledger.get);
  const seen = { statement, contract, files, listing };
  const content =
    kind === 'body'
      ? renderPrompt('solve-body', { ...seen, regions })
      : renderPrompt('solve-edits', seen);
  return requestOf(task, asker, content, kind);
}

/** A request that shows one requirement and no other, for solutions written without knowledge of the rest. */
export function soloRequest(
  task: Task,
  requirement: string,
  asker: Asker,
  { ledger }: Context,
): ModelRequest {
  const wanted = task.requirements.find(({ id }) => id === requirement);
  if (wanted === undefined) throw new Error(`task ${task.id} has no requirement "${requirement}"`);
  const { contract, files, listing } = solverView(task, ledger.get);
  const content = renderPrompt('solo', {
    requirement: requirementText(wanted),
    contract,
    files,
    listing,
  });
  return requestOf(task, asker, content, 'edits');
}
