import type { Entrant } from '../../schemas/run-settings.ts';
import type { Solo } from '../../schemas/task.ts';
import { checkConforms } from '../contract/conforms.ts';
import { Fault } from '../fault.ts';
import { keepRequest } from '../solve/ask.ts';
import { makeCandidate } from '../solve/candidate.ts';
import { parseProposal } from '../solve/proposal.ts';
import { soloRequest } from '../solve/request.ts';
import type { Bench } from './observe.ts';

/**
 * Solutions of one requirement each, by models that were shown no other. An answer that is no conforming candidate is
 * no solution. All questions are asked before a missing answer is reported, so that one call fills the mailbox.
 */
export async function soloSolutions(bench: Bench): Promise<readonly Solo[]> {
  const { task, context } = bench;
  const solos: Solo[] = [];
  const waiting: Fault[] = [];
  for (const { id } of task.requirements) {
    for (const entrant of context.settings.soloSolvers) {
      try {
        const solo = await solveAlone(bench, id, entrant);
        if (solo !== null) solos.push(solo);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        waiting.push(error);
      }
    }
  }
  const [first] = waiting;
  if (first !== undefined) throw first;
  return solos;
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
  const parsed = parseProposal(completion, 'edits');
  if (!parsed.ok) return null;
  const step = { contract: task.contract, base: task.base.tree };
  const made = makeCandidate(step, parsed.proposal, ledger);
  if (!made.ok) return null;
  if (!checkConforms({ ...step, candidate: made.tree, read: ledger.get }).conforms) return null;
  return { requirement, tree: made.tree, by: 'model', entrant: entrant.name, request: asked };
}
