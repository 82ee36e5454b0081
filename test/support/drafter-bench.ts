import { scripted } from '../../pipeline/models/scripted.ts';
import type { ModelRequest } from '../../schemas/completion.ts';
import type { DraftPlan, DraftWork } from '../../schemas/draft-answer.ts';
import type { RunSettings } from '../../schemas/run-settings.ts';
import { draft } from '../../stages/draft.ts';
import { type Play, storyContext } from './context.ts';
import { ids, limit, limiter, path, playLimiter } from './limiter.ts';
import { memoryLedger } from './memory-ledger.ts';
import { memoryRepo } from './memory-repo.ts';
import { littleSource, spec } from './woven.ts';

const clause = (text: string, seed: number) => ({
  text,
  quotes: [{ doc: `thread:${seed}`, quote: `Number ${seed} must be delivered` }],
});

/** What a good drafter plans for the story of the limiter. */
export const goodPlan: DraftPlan = {
  requirements: [
    { title: 'The first counts', interface: [], clauses: [clause('The first is one.', 1)] },
    { title: 'The second counts', interface: [], clauses: [clause('The second is two.', 2)] },
  ],
  couplings: [{ from: 'R1', to: 'R2', kind: 'constrains', text: 'Both together make twelve.' }],
};

const part = (needs: string[], find: string, replace: string) => ({
  needs,
  edits: [{ file: path, find, replace }],
  create: [],
  delete: [],
});

/** The gold and the tests of a good drafter. */
export const goodWork: DraftWork = {
  parts: [
    part(['R1'], 'one = 0', 'one = 1'),
    part(['R2'], 'two = 0', 'two = 2'),
    part(['R1', 'R2'], 'joint = 0', 'joint = 12'),
  ],
  tests: [{ file: 'test/hidden.test.ts', text: 'hidden\n' }],
  traces: [
    { test: ids.one, clauses: ['R1.a'] },
    { test: ids.two, clauses: ['R2.a'] },
    { test: ids.both, clauses: ['R1.a', 'R2.a'] },
  ],
};

const solo = (find: string, replace: string) => ({
  edits: [{ file: path, find, replace }],
  create: [],
  delete: [],
});

/** Answers by step: a list is used up attempt by attempt; a string is sent as it is. */
export type Script = Readonly<Record<string, readonly unknown[]>>;

export const goodScript: Script = {
  'draft:plan': [goodPlan],
  'draft:work': [goodWork],
  'solo:R1': [solo('one = 0', 'one = 1')],
  'solo:R2': [solo('two = 0', 'two = 2')],
};

const askedAs = ({ condition, attempt, reask }: ModelRequest) =>
  `${condition} ${attempt}${reask > 0 ? ' again' : ''}`;

type Parts = {
  readonly script?: Script;
  readonly play?: Play;
  readonly settings?: Partial<RunSettings>;
  readonly ready?: boolean;
};

/** Draft forward on the story of the limiter with a drafter that says what the script says. */
export async function draftedBy({
  script = goodScript,
  play = playLimiter,
  settings = {},
  ready = true,
}: Parts = {}) {
  const ledger = memoryLedger();
  const { repo, seed, hashOf } = memoryRepo([
    { ...limiter.base, ...limit(7, 7, 7) },
    { ...limiter.base, ...limit(0, 7, 7) },
    limiter.base,
  ]);
  const asked: ModelRequest[] = [];
  const queues = new Map(Object.entries(script).map(([step, answers]) => [step, [...answers]]));
  const model = scripted({
    answers: (request: ModelRequest) => {
      asked.push(request);
      const answer = queues.get(request.condition)?.shift() ?? null;
      return typeof answer === 'object' && answer !== null ? JSON.stringify(answer) : answer;
    },
  });
  const drafter = { name: 'pen', family: 'f', provider: 'scripted' };
  const { context } = await storyContext({
    repo,
    ledger,
    play,
    merges: true,
    models: { pen: model },
    settings: { drafter, ...settings },
  });
  const runs = ready
    ? context.runs
    : {
        ...context.runs,
        prepare: async () => ({ ready: false as const, step: 'install', tail: 'no network' }),
      };
  const seeds = [seed(1), seed(2)];
  const docs = seeds.map(({ statements: [said], threads: [number] }) => ({
    doc: `thread:${number}`,
    sha256: ledger.put(new TextEncoder().encode(`Hello. ${said?.quote}.\n`)),
  }));
  const facts = {
    source: littleSource,
    spec,
    seeds,
    edges: [{ from: 's1', to: 's2', kind: 'same-file', weight: 1, evidence: path }],
    docs,
    authored: null,
    forward: { base: hashOf(2) },
  };
  const ending = await draft.run(facts, { ...context, runs });
  return {
    refused: ending.kind === 'rejected' ? ending.rejection : null,
    facts: ending.kind === 'done' ? ending.facts : {},
    asked,
    steps: asked.map(askedAs),
    said: (at: number) => asked.at(at)?.messages.at(-1)?.content ?? '',
  };
}
