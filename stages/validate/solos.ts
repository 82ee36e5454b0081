import type { Role } from '../../schemas/completion.ts';
import type { ProvedCoupling } from '../../schemas/coupling.ts';
import type { Instance, TestGroup } from '../../schemas/instance.ts';
import type { Solo } from '../../schemas/task.ts';
import { checkConforms } from '../contract/conforms.ts';
import { lintContract } from '../contract/lint.ts';
import { settleAll } from '../settle/settle-all.ts';
import { keepRequest } from '../solve/ask.ts';
import { makeCandidate } from '../solve/candidate.ts';
import { parseProposal } from '../solve/proposal.ts';
import { soloRequest } from '../solve/request.ts';
import { assertFinished } from '../solve/rollout.ts';
import { isCoupled } from '../weave/coupling-level.ts';
import type { Bench } from './observe.ts';
import { untraceable } from './trace.ts';

/**
 * Solutions of one requirement each, by models that were shown no other. An answer that is no conforming candidate is
 * no solution. All questions are asked before a missing answer is reported, so that one call fills the mailbox.
 */
export async function soloSolutions(
  bench: Bench,
  requirements: readonly string[],
): Promise<readonly Solo[]> {
  const { soloSolvers } = bench.context.settings;
  const asked = requirements.flatMap((id) => soloSolvers.map((entrant) => ({ id, entrant })));
  const solos = await settleAll(asked, ({ id, entrant }) =>
    solveAlone(bench, id, { role: 'solver', name: entrant.name }),
  );
  return solos.flatMap((solo) => solo ?? []);
}

/**
 * Requirements whose solo solutions can still raise a level: ends of joint edges of a task that the other gates let pass.
 * Nobody is paid for a draft that is refused anyway.
 */
export function worthAsking(
  { task, context: { ledger, parse } }: Bench,
  gold: string,
  couplings: readonly ProvedCoupling[],
  traces: readonly Instance['traces'][number][],
  groups: readonly TestGroup[],
): readonly string[] {
  const ids = task.requirements.map(({ id }) => id);
  const step = { contract: task.contract, base: task.base.tree, candidate: gold };
  const isSound =
    isCoupled(ids, couplings, JOINT) &&
    untraceable(task, traces, groups) === null &&
    lintContract(task.contract, task.base.tree, ledger.get, parse).length === 0 &&
    checkConforms({ ...step, read: ledger.get, parse }).conforms;
  const joint = couplings.filter(({ level }) => level >= JOINT);
  return isSound ? ids.filter((id) => joint.some(({ from, to }) => from === id || to === id)) : [];
}

const JOINT = 3;

/** One requirement solved on the base by a model that sees no other; null where the answer is no conforming candidate. */
export async function solveAlone(
  { task, context }: Bench,
  requirement: string,
  { role, name: entrant }: { readonly role: Role; readonly name: string },
): Promise<Solo | null> {
  const { ledger, signal, parse } = context;
  const condition = `solo:${requirement}`;
  const asker = { role, entrant, condition, replicate: 0 };
  const request = soloRequest(task, requirement, asker, context);
  const asked = keepRequest(ledger, request);
  const completion = await context.model(role, entrant).complete(request, signal);
  assertFinished(completion, entrant);
  const parsed = parseProposal(completion, 'edits');
  if (!parsed.ok) return null;
  const step = { contract: task.contract, base: task.base.tree };
  const made = makeCandidate(step, parsed.proposal, ledger);
  if (!made.ok) return null;
  const verdict = checkConforms({ ...step, candidate: made.tree, read: ledger.get, parse });
  if (!verdict.conforms) return null;
  return { requirement, tree: made.tree, by: 'model', entrant, request: asked };
}
