import type { Environment } from '../schemas/environment.ts';
import { type PatchBytes, ReleaseFacts, type ReleaseInput } from '../schemas/release-input.ts';
import type { GoldPart, Task } from '../schemas/task.ts';
import type { Patches } from '../stages/context.ts';
import type { Facts } from '../stages/stage.ts';
import { changeTree, keepFile } from '../stages/trees/trees.ts';
import { ModelReturned, ModelSent } from './ledger/model-events.ts';
import type { Money } from './ledger/money.ts';
import type { OpenLedger } from './ledger/open.ts';

type Deps = {
  readonly ledger: OpenLedger;
  readonly patches: Patches;
  readonly money: Money;
};

/** What the exporters get for one record that walked to the end; git makes the patches, the ledger has the rest. */
export async function releaseInput(facts: Facts, deps: Deps): Promise<ReleaseInput> {
  const { ledger } = deps;
  const task = facts.task as Task;
  const { spec, digest, tools } = facts.environment as Environment;
  const parsed = ReleaseFacts.parse({
    task,
    instance: facts.instance,
    environment: { spec, digest, tools },
    source: facts.source,
    rollouts: facts.rollouts ?? [],
    verdicts: facts.verdicts ?? [],
    kept: facts.kept,
    candidates: facts.candidates ?? [],
    calls: callsOf(task, deps),
    patches: await patchesOf(task, deps),
  });
  return { ...parsed, read: ledger.get };
}

async function patchesOf(task: Task, deps: Deps): Promise<ReleaseFacts['patches']> {
  const { patches, ledger } = deps;
  const gold = task.gold.at(-1)?.after ?? task.base.tree;
  const files = task.tests.overlay.map(({ path, sha256 }) =>
    keepFile(ledger, path, ledger.get(sha256)),
  );
  const tested = changeTree(ledger, task.base.tree, files);
  const { commitTree, tree } = task.base;
  const base = commitTree === tree ? null : portable(await patches.diff(commitTree, tree));
  return {
    gold: portable(await patches.diff(task.base.tree, gold)),
    test: portable(await patches.diff(task.base.tree, tested)),
    base,
    parts: await partsOf(task.gold, patches),
  };
}

async function partsOf(
  gold: readonly GoldPart[],
  patches: Patches,
): Promise<ReleaseFacts['patches']['parts']> {
  const parts: ReleaseFacts['patches']['parts'] = [];
  for (const { id, needs, before, after } of gold)
    parts.push({ id, needs, text: new TextDecoder().decode(await patches.diff(before, after)) });
  return parts;
}

/** Text where the bytes are UTF-8, so that a reader sees a patch; base64 where they are not. */
function portable(bytes: Uint8Array): PatchBytes {
  const text = new TextDecoder().decode(bytes);
  const same = Buffer.from(text, 'utf8').equals(Buffer.from(bytes));
  return same ? { text } : { base64: Buffer.from(bytes).toString('base64') };
}

/** Answered requests of this task, in the order of their digests, so that a release does not depend on arrival. */
function callsOf(task: Task, { ledger, money }: Deps): ReleaseFacts['calls'] {
  const sent = ledger
    .events('model-sent')
    .map(({ body }) => ModelSent.parse(body))
    .filter(({ subject }) => subject === task.id);
  const requests = [...new Set(sent.map(({ request }) => request))].toSorted();
  return requests.flatMap((request) => {
    const body = ledger.find('model-returned', request);
    const call = sent.find((candidate) => candidate.request === request);
    if (body === null || call === undefined) return [];
    const { completion, call: answered } = ModelReturned.parse(body);
    // A call that a kill or a broken line cut off is money of this machine, not of the task: releases stay equal.
    const paid = money.lines.find(({ key }) => key === `${request}:${answered}`);
    return [
      {
        request,
        role: call.role,
        entrant: call.entrant,
        model: completion.modelReturned,
        usage: completion.usage,
        costMicroUsd: microUsd(paid?.usd ?? null),
      },
    ];
  });
}

const microUsd = (usd: number | null): number | null =>
  usd === null ? null : Math.round(usd * 1e6);
