import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { ContractBuild, StatementVerdict } from '../../schemas/contract-build.ts';
import type { Condition, Recovery } from '../../schemas/experiment.ts';
import { readTree } from '../../stages/contract/conforms.ts';
import { conditionOf, effective } from '../../stages/controller/conditions.ts';
import { type Ended, runRollout } from '../../stages/controller/controller.ts';
import { notRun } from '../../stages/controller/judge.ts';
import type { Shells } from '../../stages/controller/ports.ts';
import type { LeftShell } from '../../stages/controller/shell.ts';
import { contractFor, type Files, keepFiles } from './contract-case.ts';
import { fakeClock } from './fake-clock.ts';
import { lruBase, lruContract } from './lru-fixture.ts';
import { memoryLedger } from './memory-ledger.ts';

const parse = await openParse();

/** An answer as a provider gives it, or an error that is thrown. */
type Answer = string | Error | Partial<Completion>;

const completionOf = (answer: string | Partial<Completion>): Completion => ({
  text: typeof answer === 'string' ? answer : (answer.text ?? ''),
  finish: 'stop',
  provider: 'scripted',
  modelRequested: 'one',
  modelReturned: 'one',
  responseId: null,
  fromReasoning: false,
  usage: { input: 10, cachedInput: null, output: 5, reasoning: null },
  provenance: null,
  ...(typeof answer === 'string' ? {} : answer),
});

export const edit = (replace: string, file = 'src/lru.ts', find = '    return 0;\n') =>
  JSON.stringify({ edits: [{ file, find, replace }], create: [], delete: [] });
export const body = (text: string) => JSON.stringify({ bodies: [{ region: 'r1', text }] });

type Given = {
  readonly answers: readonly Answer[];
  readonly condition: string | Condition;
  /** Build's verdict on the text of the candidate's file. */
  readonly builds?: (source: string) => boolean;
  readonly statement?: StatementVerdict | null;
  readonly recovery?: Recovery;
  readonly files?: Files;
  readonly shells?: Shells;
  readonly packs?: readonly string[];
};

export const noShells: Shells = {
  use: () => Promise.reject(new Error('no shell here')),
};

/** A rollout on F-TS with answers by heart and a builder that only looks at the edited file. */
export async function rolloutOn(given: Given) {
  const { answers, builds = () => false, statement = null, files = lruBase } = given;
  const condition = conditionOf(given.condition);
  if (condition === null) throw new Error('no such condition');
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const contract = effective(
    contractFor(base, { ...lruContract, forbidden: { packs: [...(given.packs ?? [])] } }),
    condition,
  );
  const requests: ModelRequest[] = [];
  const built: string[] = [];
  const kept: LeftShell[] = [];
  const waiting = [...answers];
  const clock = fakeClock();
  const builder = {
    build: async ({ tree }: { tree: string }): Promise<ContractBuild> => {
      built.push(tree);
      const file = readTree(tree, ledger.get).get('src/lru.ts');
      const isTrue = builds(new TextDecoder().decode(ledger.get(file?.sha256 ?? '')));
      const log = ledger.put(new TextEncoder().encode('the log of the build'));
      const reasons = isTrue
        ? []
        : [{ code: 'build.id-failed', path: null, at: null, detail: 'a test' }];
      return {
        ...notRun,
        status: isTrue ? 'true' : 'false',
        reasons,
        sandbox: 'bwrap',
        logNormalisedBlob: log,
        reportChannel: 'stream',
      };
    },
    probe: async () => statement,
  };
  const ended: Ended = await runRollout(
    {
      subject: { instance: 'case', contract, base },
      given: condition,
      entrant: 'one',
      condition: condition.name,
      replicate: 0,
      recovery: given.recovery ?? { on: [], times: 0, wait_s: [0] },
      baseline: 'what the baseline said',
    },
    {
      complete: async (request) => {
        requests.push(request);
        const answer = waiting.shift();
        if (answer === undefined) throw new Error('asked once too often');
        if (answer instanceof Error) throw answer;
        return completionOf(answer);
      },
      builder,
      shells: given.shells ?? noShells,
      ledger,
      clock,
      parse,
      signal: new AbortController().signal,
      keepLeft: (one) => kept.push(one),
    },
  );
  return { ...ended, requests, built, kept, left: waiting.length, clock };
}
