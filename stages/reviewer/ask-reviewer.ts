import { z } from 'zod';
import type { Instance } from '../../schemas/instance.ts';
import type { Task } from '../../schemas/task.ts';
import type { Candidate, Verdict } from '../../schemas/verdict.ts';
import type { Context } from '../context.ts';
import { renderPrompt } from '../prompts/render.ts';
import { isVerbatim } from '../review/citations.ts';
import { askStructured } from '../solve/ask.ts';

/** What a reviewer may say: proposals with citations, never a verdict. */
const Review = z.strictObject({
  findings: z.array(
    z.strictObject({
      side: z.enum(['FP', 'FN']),
      test: z.string(),
      clause: z.string(),
      claim: z.string(),
      citations: z.array(z.strictObject({ doc: z.string(), quote: z.string() })),
    }),
  ),
});
type Finding = z.infer<typeof Review>['findings'][number];

type Facts = {
  readonly task: Task;
  readonly instance: Instance;
  readonly candidates: readonly Candidate[];
};

/** One structured request, if the run names a reviewer. What it alone says stays suspect; a false quote, an unknown test or clause voids the finding. */
export async function askReviewer(facts: Facts, context: Context): Promise<readonly Verdict[]> {
  const { reviewer } = context.settings;
  if (reviewer === null) return [];
  const docs = viewOf(facts, context);
  const request = {
    role: 'reviewer' as const,
    entrant: reviewer.name,
    subject: facts.task.id,
    condition: 'review',
    replicate: 0,
    attempt: 1,
    messages: [{ role: 'user' as const, content: promptOf(docs, facts) }],
    parameters: {},
  };
  const model = context.model('reviewer', reviewer.name);
  const answer = await askStructured(model, request, Review, context.ledger, context.signal);
  if (!answer.ok) return [];
  return answer.value.findings.flatMap((finding, index) => opinion(finding, index, docs, facts));
}

/** What the reviewer may read, by document name: the statement and every hidden test file. */
function viewOf({ task }: Facts, { ledger }: Context): ReadonlyMap<string, string> {
  const decode = (sha256: string) => new TextDecoder().decode(ledger.get(sha256));
  return new Map([
    ['statement', task.statement],
    ...task.tests.overlay.map(({ path, sha256 }) => [path, decode(sha256)] as const),
  ]);
}

function promptOf(
  docs: ReadonlyMap<string, string>,
  { task, instance, candidates }: Facts,
): string {
  const hidden = [...docs].filter(([name]) => name !== 'statement');
  const failing = (test: string) =>
    candidates.filter((candidate) => candidate.failing.includes(test));
  return renderPrompt('review', {
    statement: task.statement,
    tests: hidden.map(([name, text]) => `--- ${name}\n${text}`).join('\n'),
    traces: instance.traces
      .map(
        ({ test, clauses }) =>
          `${test} | ${clauses.join(', ')} | fails on ${failing(test).length} of ${candidates.length} candidates`,
      )
      .join('\n'),
  });
}

function opinion(
  finding: Finding,
  index: number,
  docs: ReadonlyMap<string, string>,
  facts: Facts,
): Verdict[] {
  const { task, instance } = facts;
  const citations = finding.citations.map(({ doc, quote }) => ({
    doc,
    quote,
    verified: isVerbatim(quote, docs.get(doc)),
  }));
  const clauses = task.requirements.flatMap((requirement) => requirement.clauses);
  const known =
    instance.traces.some(({ test }) => test === finding.test) &&
    clauses.some(({ id }) => id === finding.clause);
  if (!known || citations.length === 0 || citations.some(({ verified }) => !verified)) return [];
  return [
    {
      id: `v-${task.id}-${task.revision}-reviewer-${index + 1}`,
      task: task.id,
      revision: task.revision,
      mode: 'assisted',
      target: { test: finding.test, clause: finding.clause, coupling: null },
      side: finding.side,
      kind: finding.side === 'FP' ? 'FP1' : 'FN4',
      reasonCode: finding.side === 'FP' ? 'fp-wrong-variant-survives' : 'fn-one-reading-of-several',
      detail: finding.claim,
      citations,
      verdict: 'suspect',
      suspectReason: 'no-witness',
    },
  ];
}
