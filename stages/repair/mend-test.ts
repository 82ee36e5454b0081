import type { Instance } from '../../schemas/instance.ts';
import type { Repair } from '../../schemas/kept.ts';
import { BodyProposal } from '../../schemas/proposal.ts';
import type { Task } from '../../schemas/task.ts';
import type { Candidate, Verdict } from '../../schemas/verdict.ts';
import { checkConforms } from '../contract/conforms.ts';
import { renderPrompt } from '../prompts/render.ts';
import { askStructured } from '../solve/ask.ts';
import { makeCandidate } from '../solve/candidate.ts';
import { entriesByPath, readTree } from '../trees/trees.ts';
import type { Bench } from '../validate/observe.ts';
import { acceptance } from './accept.ts';
import { type Flagged, flaggedTest } from './flagged-test.ts';

type Mending = {
  readonly bench: Bench;
  readonly instance: Instance;
  readonly candidates: readonly Candidate[];
  readonly verdict: Verdict;
  readonly round: number;
  readonly last: Repair | undefined;
};

type Mended = { readonly repair: Repair; readonly task: Task | null };

/** One structured request, one edit of the flagged test's body under its own contract, then every rule of acceptance. */
export async function mendTest(mending: Mending): Promise<Mended> {
  const { bench, instance, verdict } = mending;
  const flagged = await flaggedTest(bench, instance.goldTree, verdict);
  if (flagged === null)
    return refused(mending, 'the flagged test can be cut out', 'no body found', {});
  const { context } = bench;
  const model = context.model('repairer', context.settings.repairer?.name ?? '');
  const question = questionOf(mending, flagged);
  const answer = await askStructured(model, question, BodyProposal, context.ledger, context.signal);
  const request = answer.requestSha;
  if (!answer.ok) return refused(mending, 'the answer is a proposal', answer.detail, { request });

  const proposal = context.ledger.put(new TextEncoder().encode(answer.completion.text));
  const step = { contract: flagged.contract, base: flagged.tree };
  const made = makeCandidate(step, { kind: 'body', value: answer.value }, context.ledger);
  if (!made.ok) return refused(mending, 'the edit applies', made.detail, { request, proposal });
  const report = checkConforms({
    ...step,
    candidate: made.tree,
    read: context.ledger.get,
    parse: context.parse,
  });
  if (!report.conforms) {
    const [reason] = report.reasons;
    return refused(mending, 'the edit keeps its contract', `${reason?.code}: ${reason?.detail}`, {
      request,
      proposal,
    });
  }
  return judged(mending, flagged, made.tree, { request, proposal });
}

type Papers = { readonly request?: string; readonly proposal?: string };

async function judged(
  mending: Mending,
  { path }: Flagged,
  tree: string,
  papers: Papers,
): Promise<Mended> {
  const { bench, instance, candidates, verdict } = mending;
  const { task, context } = bench;
  const before = task.tests.overlay.find((file) => file.path === path)?.sha256 ?? '';
  const after = entriesByPath(readTree(context.ledger, tree)).get(path)?.sha256 ?? before;
  const overlay = task.tests.overlay.map((file) =>
    file.path === path ? { path, sha256: after } : file,
  );
  const revised = { ...task, revision: task.revision + 1, tests: { ...task.tests, overlay } };
  const rules = await acceptance({ bench, revised, instance, candidates, verdict });
  const isAccepted = rules.every(({ result }) => result === 'pass');
  const repair: Repair = {
    ...recordOf(mending, papers),
    edits: [{ path, before, after }],
    acceptance: [...rules],
    disposition: isAccepted ? 'accepted' : 'refused',
  };
  return { repair, task: isAccepted ? revised : null };
}

function refused(mending: Mending, rule: string, detail: string, papers: Papers): Mended {
  const repair: Repair = {
    ...recordOf(mending, papers),
    edits: [],
    acceptance: [{ rule, result: 'fail', detail }],
    disposition: 'refused',
  };
  return { repair, task: null };
}

const recordOf = ({ bench, verdict, round }: Mending, { request, proposal }: Papers) => ({
  id: `repair-${bench.task.id}-${bench.task.revision}-${round}`,
  round,
  fromRevision: bench.task.revision,
  verdicts: [verdict.id],
  action: 'edit-test' as const,
  request: request ?? null,
  proposal: proposal ?? null,
});

function questionOf({ bench, verdict, round, last }: Mending, flagged: Flagged) {
  return {
    role: 'repairer' as const,
    entrant: bench.context.settings.repairer?.name ?? '',
    subject: bench.task.id,
    condition: `repair:${verdict.id}`,
    replicate: 0,
    attempt: round,
    messages: [{ role: 'user' as const, content: promptOf(bench, verdict, flagged, last) }],
    parameters: {},
  };
}

function promptOf(
  { task }: Bench,
  verdict: Verdict,
  { path, file, region }: Flagged,
  last: Repair | undefined,
): string {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const clauses = task.requirements.flatMap((requirement) => requirement.clauses);
  const named = clauses.filter(({ id }) => id === verdict.target.clause);
  const failed = last?.acceptance.filter(({ result }) => result === 'fail') ?? [];
  return renderPrompt('repair-test', {
    statement: task.statement,
    clauses: (named.length > 0 ? named : clauses)
      .map(({ id, text: words }) => `${id}: ${words}`)
      .join('\n'),
    verdict: `${verdict.verdict} (${verdict.kind}): ${verdict.detail}`,
    file: [{ label: path, text: text(file) }],
    region: text(file.subarray(region.start, region.end)),
    previous: failed.map(({ rule, detail }) => `Broke the rule "${rule}": ${detail}`).join('\n'),
  });
}
