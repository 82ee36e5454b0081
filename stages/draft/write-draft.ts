import type { Drafting } from '../../schemas/draft-answer.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { digestOf } from '../contract/canonical-json.ts';
import { Fault } from '../fault.ts';
import type { Bound } from '../weave/pins.ts';
import { askDrafter, type Standing, type Step } from './ask-drafter.ts';
import { planProblems } from './check-plan.ts';
import { composeDraft } from './compose-draft.ts';
import { type DraftFacts, docReader, draftTask } from './draft-task.ts';
import { type DrafterView, drafterView } from './drafter-view.ts';
import { gateEvidence, type Tried } from './gate-evidence.ts';
import { type Ground, groundOf } from './ground.ts';
import { tryDraft } from './try-draft.ts';

/** How often a refused draft goes back to the drafter. */
export const mostCorrections = 3;

/** Seeds that a drafter extends, and the commit that its task starts from. */
type Wanted = Omit<DraftFacts, 'authored'> & { readonly base: string };

type Written = { readonly task: Task; readonly drafting: Drafting };

type Judged =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'good'; readonly task: Task; readonly bound: readonly Bound[] }
  | { readonly kind: 'bad'; readonly rejection: Rejection; readonly tried: Tried | null };

/** A refusal that no other answer of the drafter's can mend. */
const FINAL: readonly Rejection['code'][] = ['env-build-failed'];

/**
 * A task written by the drafter: plan, then gold and tests, then solo solutions, each a request of its own. What a gate refuses goes
 * back with the gate's evidence, at most three times; then the last refusal stands. Faults of the model pass through, and the same
 * questions find their answers when the record is taken up again.
 */
export async function writeDraft(facts: Wanted, context: Context): Promise<Written | Rejection> {
  if (context.settings.drafter === null)
    throw new Fault(
      'Drafting failed: nobody has the role "drafter". Name a model under roles.drafter, then run the same command again.',
      { code: 'model-unavailable' },
    );
  const ground = await groundOf(facts.source.name, facts.base, facts.spec, context);
  if ('code' in ground) return ground;
  const view = drafterView({ ...facts, ...ground }, context.ledger);
  const desk = { facts, ground, view, context };
  let state: State = { standing: { plan: null, work: null }, evidence: null, turns: [] };
  for (;;) {
    const next = await takeTurn(state, desk);
    if ('task' in next || 'code' in next) return next;
    state = next;
  }
}

type Desk = {
  readonly facts: Wanted;
  readonly ground: Ground;
  readonly view: DrafterView;
  readonly context: Context;
};

/** Between two questions: what stands, what of it was refused, and the questions so far. */
type State = {
  readonly standing: Standing;
  readonly evidence: string | null;
  readonly turns: Drafting['turns'];
};

/** One question, and what the gates say to its answer. */
async function takeTurn(state: State, desk: Desk): Promise<State | Written | Rejection> {
  const { facts, ground, view, context } = desk;
  const step = stepAfter(state);
  const attempt = 1 + state.turns.filter((turn) => turn.step === step).length;
  const subject = `${facts.source.name}-${draftId(facts)}`;
  const { standing: before, evidence } = state;
  const question = { subject, step, attempt, view, standing: before, evidence };
  const answer = await askDrafter(question, context);
  const asked = { step, attempt, request: answer.requestSha };
  if (!answer.ok) return unreadable(`${answer.reason}, ${answer.detail}`, [...state.turns, asked]);
  const standing = answer.value;
  const judged = await judge(standing, facts, ground, context);
  if (judged.kind === 'bad') return afterRefusal(judged, { ...state, standing }, asked, context);
  const turns = [...state.turns, { ...asked, refused: null }];
  if (judged.kind === 'unfinished') return { standing, evidence: null, turns };
  return { task: judged.task, drafting: { turns, precedents: placesOf(judged.bound) } };
}

/** Back to the drafter with the evidence, or the end of it. */
async function afterRefusal(
  { rejection, tried }: Extract<Judged, { kind: 'bad' }>,
  { standing, turns: earlier }: State,
  asked: Omit<Drafting['turns'][number], 'refused'>,
  context: Context,
): Promise<State | Rejection> {
  const { code, detail } = rejection;
  const turns = [...earlier, { ...asked, refused: { code, detail } }];
  if (FINAL.includes(code)) return rejection;
  const corrections = earlier.filter(({ refused }) => refused !== null).length;
  if (corrections >= mostCorrections) return exhausted(rejection, turns);
  return { standing, turns, evidence: await gateEvidence(rejection, tried, context) };
}

/** The name of a forward draft of some seeds on some base. */
export const draftId = ({ seeds, base }: Pick<Wanted, 'seeds' | 'base'>): string =>
  `f${digestOf({ seeds: seeds.map(({ id }) => id), base }).slice(0, 8)}`;

function stepAfter({ standing: { plan, work }, evidence }: State): Step {
  if (plan === null || (work === null && evidence !== null)) return 'plan';
  return work === null ? 'work' : 'revise';
}

async function judge(
  { plan, work }: Standing,
  facts: Wanted,
  { tree, environment }: Ground,
  context: Context,
): Promise<Judged> {
  const { ledger } = context;
  const problems =
    plan === null ? [] : planProblems(plan, facts, docReader(facts.docs, ledger.get));
  if (problems.length > 0) return bad(invalid(problems));
  if (plan === null || work === null) return { kind: 'unfinished' };
  const authored = composeDraft({ plan, work }, { ...facts, id: draftId(facts), tree }, ledger);
  if ('problems' in authored) return bad(invalid(authored.problems));
  const drafted = await draftTask({ ...facts, authored }, context);
  if ('code' in drafted) return bad(drafted);
  const tried = { task: drafted.task, environment };
  const task = await tryDraft(drafted.task, environment, context);
  return 'code' in task ? bad(task, tried) : { kind: 'good', task, bound: drafted.bound };
}

const bad = (rejection: Rejection, tried: Tried | null = null): Judged => ({
  kind: 'bad',
  rejection,
  tried,
});

const invalid = (problems: readonly string[]): Rejection => ({
  code: 'draft-invalid',
  detail: problems[0] ?? '',
  evidence: [...problems],
});

type Asked = { readonly request: string };

const unreadable = (why: string, turns: readonly Asked[]): Rejection => ({
  code: 'draft-invalid',
  detail: `the drafter's answer cannot be read, asked twice: ${why}`,
  evidence: turns.map(({ request }) => request),
});

/** The last refusal with its evidence, and every request that led to it. */
const exhausted = (last: Rejection, turns: readonly Asked[]): Rejection => ({
  ...last,
  detail: `${last.detail} (after ${mostCorrections} corrections)`,
  evidence: [...last.evidence, ...turns.map(({ request }) => request)],
});

/** Most places that are kept as evidence. */
const PLACES = 200;

const placesOf = (bound: readonly Bound[]): Drafting['precedents'] =>
  bound.slice(0, PLACES).map(({ text, path, line }) => ({ text, path, line }));
