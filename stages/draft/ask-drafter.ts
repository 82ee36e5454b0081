import type { ModelRequest } from '../../schemas/completion.ts';
import { DraftPlan, DraftRevision, DraftWork } from '../../schemas/draft-answer.ts';
import type { Context } from '../context.ts';
import { renderPrompt } from '../prompts/render.ts';
import { askStructured, type Question, type Structured } from '../solve/ask.ts';
import type { DrafterView } from './drafter-view.ts';

/** What stands so far: null is not written yet. */
export type Standing = { readonly plan: DraftPlan | null; readonly work: DraftWork | null };

/** The question that comes next. `plan` and `work` are written once and mended by later turns. */
export type Step = 'plan' | 'work' | 'revise';

type Turn = {
  readonly subject: string;
  readonly step: Step;
  /** The number of this question among those of its step, from 1. */
  readonly attempt: number;
  readonly view: DrafterView;
  readonly standing: Standing;
  /** What the gates found, where something was refused. */
  readonly evidence: string | null;
};

/** One question to the drafter, with at most one re-ask; the answer laid over what stands. */
export async function askDrafter(turn: Turn, context: Context): Promise<Structured<Standing>> {
  const { step, standing } = turn;
  const entrant = context.settings.drafter?.name ?? '';
  const question: Question = {
    role: 'drafter',
    entrant,
    subject: turn.subject,
    condition: `draft:${step}`,
    replicate: 0,
    attempt: turn.attempt,
    messages: messagesOf(turn),
    parameters: {},
  };
  const model = context.model('drafter', entrant);
  const { ledger, signal } = context;
  if (step === 'plan') {
    const answer = await askStructured(model, question, DraftPlan, ledger, signal);
    return answer.ok ? { ...answer, value: { ...standing, plan: answer.value } } : answer;
  }
  if (step === 'work') {
    const answer = await askStructured(model, question, DraftWork, ledger, signal);
    return answer.ok ? { ...answer, value: { ...standing, work: answer.value } } : answer;
  }
  const answer = await askStructured(model, question, DraftRevision, ledger, signal);
  if (!answer.ok) return answer;
  const { plan, work } = answer.value;
  return { ...answer, value: { plan: plan ?? standing.plan, work: work ?? standing.work } };
}

type Messages = ModelRequest['messages'];

/** Each question is whole: the first message of its step, and where something is mended the answer that stands and why it was refused. */
function messagesOf({ step, view, standing, evidence }: Turn): Messages {
  const { files, listing, conventions, docs, seeds, ties } = view;
  const requirements = JSON.stringify(standing.plan, null, 2);
  if (step === 'plan')
    return exchange(
      renderPrompt('draft-plan', { seeds, ties, docs, conventions, files, listing }),
      standing.plan,
      evidence === null ? null : renderPrompt('draft-plan-again', { evidence }),
    );
  const opening = renderPrompt('draft-work', {
    requirements: planText(standing.plan),
    conventions,
    files,
    listing,
  });
  if (step === 'work') return exchange(opening, null, null);
  const again = renderPrompt('draft-revise', { evidence: evidence ?? '', requirements, docs });
  return exchange(opening, standing.work, again);
}

function exchange(opening: string, answer: object | null, again: string | null): Messages {
  const first = { role: 'user' as const, content: opening };
  if (answer === null || again === null) return [first];
  return [
    first,
    { role: 'assistant', content: JSON.stringify(answer, null, 2) },
    { role: 'user', content: again },
  ];
}

/** Requirements and couplings as the statement will say them, with the clauses' ids. */
function planText(plan: DraftPlan | null): string {
  if (plan === null) return '';
  const letter = (at: number) => String.fromCharCode(97 + at);
  const requirements = plan.requirements.map(({ title, clauses, interface: declared }, index) =>
    [
      `R${index + 1}. ${title}`,
      ...clauses.map(({ text }, at) => `- R${index + 1}.${letter(at)}: ${text}`),
      ...(declared.length === 0 ? [] : ['Names, values and messages to keep to:']),
      ...declared.map((line) => `- ${line}`),
    ].join('\n'),
  );
  const meetings = plan.couplings.map(
    ({ from, to, kind, text }) => `- ${from} and ${to} (${kind}): ${text}`,
  );
  return [...requirements, ['Where they meet:', ...meetings].join('\n')].join('\n\n');
}
