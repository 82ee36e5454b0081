import type { Completion } from '../../schemas/completion.ts';
import { BodyProposal, EditsProposal } from '../../schemas/proposal.ts';
import { type AnswerFault, parseAnswer } from './answer.ts';

export type Proposal =
  | { readonly kind: 'edits'; readonly value: EditsProposal }
  | { readonly kind: 'body'; readonly value: BodyProposal };

/** A reason code of the closed list with one line of detail; the attempt is invalid. */
export type Refusal = { readonly code: string; readonly detail: string };

const codes: Record<AnswerFault, string> = {
  length: 'proposal.truncated',
  refused: 'proposal.refused',
  empty: 'proposal.syntax',
  unfinished: 'proposal.syntax',
  html: 'proposal.syntax',
  cut: 'proposal.syntax',
  'not-json': 'proposal.syntax',
  schema: 'proposal.syntax',
};

/** How a refusal is written in an attempt: its code first, then what exactly was wrong. */
export const reasonOf = ({ code, detail }: Refusal): string => `${code}: ${detail}`;

/** The proposal in a reply, or why there is none. Lists are never filled in: an absent list is a schema problem. */
export function parseProposal(
  completion: Completion,
  kind: Proposal['kind'],
): { readonly ok: true; readonly proposal: Proposal } | ({ readonly ok: false } & Refusal) {
  if (kind === 'edits') {
    const answer = parseAnswer(completion, EditsProposal);
    if (answer.ok) return { ok: true, proposal: { kind, value: answer.value } };
    return { ok: false, code: codes[answer.fault], detail: `${answer.fault}, ${answer.detail}` };
  }
  const answer = parseAnswer(completion, BodyProposal);
  if (answer.ok) return { ok: true, proposal: { kind, value: answer.value } };
  return { ok: false, code: codes[answer.fault], detail: `${answer.fault}, ${answer.detail}` };
}
