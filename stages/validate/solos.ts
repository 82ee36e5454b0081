import type { Entrant } from '../../schemas/run-settings.ts';
import type { Solo } from '../../schemas/task.ts';
import { checkConforms } from '../contract/conforms.ts';
import { settleAll } from '../settle/settle-all.ts';
import { keepRequest } from '../solve/ask.ts';
import { makeCandidate } from '../solve/candidate.ts';
import { parseProposal } from '../solve/proposal.ts';
import { soloRequest } from '../solve/request.ts';
import { assertFinished } from '../solve/rollout.ts';
import type { Bench } from './observe.ts';

/**
 * Solutions of one requirement each, by models that were shown no other. An answer that is no conforming candidate is
 * no solution. All questions are asked before a missing answer is reported, so that one call fills the mailbox.
 */
export async function soloSolutions(bench: Bench): Promise<readonly Solo[]> {
  const { soloSolvers } = bench.context.settings;
  const asked = bench.task.requirements.flatMap(({ id }) =>
    soloSolvers.map((entrant) => ({ id, entrant })),
  );
  const solos = await settleAll(asked, ({ id, entrant }) => solveAlone(bench, id, entrant));
  return solos.flatMap((solo) => solo ?? []);
}

async function solveAlone(
  { task, context }: Bench,
  requirement: string,
  entrant: Entrant,
): Promise<Solo | null> {
  const { ledger, signal } = context;
  const condition = `solo:${requirement}`;
  const asker = { role: 'solver', entrant: entrant.name, condition, replicate: 0 } as const;
  const request = soloRequest(task, requirement, asker, context);
  const asked = keepRequest(ledger, request);
  const completion = await context.model('solver', entrant.name).complete(request, signal);
  assertFinished(completion, entrant.name);
  const parsed = parseProposal(completion, 'edits');
  if (!parsed.ok) return null;
  const step = { contract: task.contract, base: task.base.tree };
  const made = makeCandidate(step, parsed.proposal, ledger);
  if (!made.ok) return null;
  if (!checkConforms({ ...step, candidate: made.tree, read: ledger.get }).conforms) return null;
  return { requirement, tree: made.tree, by: 'model', entrant: entrant.name, request: asked };
}
