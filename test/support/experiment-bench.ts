import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { blobStore } from '../../pipeline/contracts/blob-store.ts';
import { readExperiment, recordFolder } from '../../pipeline/experiments/folder.ts';
import { assertFrozen, freeze } from '../../pipeline/experiments/freeze.ts';
import { openRecord } from '../../pipeline/experiments/record.ts';
import { replayRecord } from '../../pipeline/experiments/replay.ts';
import { runExperiment } from '../../pipeline/experiments/run.ts';
import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import { readDirectory } from '../../pipeline/trees/read-directory.ts';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Frozen } from '../../schemas/experiment.ts';
import { readTree } from '../../stages/contract/conforms.ts';
import { manifestRoot } from '../../stages/contract/manifest.ts';
import { notRun } from '../../stages/controller/judge.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { noShells } from './controller-bench.ts';
import { fakeClock } from './fake-clock.ts';
import { scratch } from './solver-copy.ts';

const source = (body: string) =>
  `export function one(): number {\n  // BEGIN\n${body}  // END\n}\n`;
const parse = await openParse();
const { signal } = new AbortController();

/** A folder with a plan of one little instance. */
async function writeExperiment(folder: string): Promise<string> {
  const place = join(folder, 'one');
  mkdirSync(join(place, 'base/src'), { recursive: true });
  writeFileSync(join(place, 'base/src/one.ts'), source('  return 0;\n'));
  writeFileSync(join(place, 'base/note.md'), 'note\n');
  const edits = [{ file: 'src/one.ts', find: 'return 0;', replace: 'return 1;' }];
  writeFileSync(join(place, 'reference.json'), JSON.stringify({ edits, create: [], delete: [] }));
  const tree = await readDirectory(join(place, 'base'));
  if ('problems' in tree) throw new Error('no base');
  const contract = {
    contract: 1,
    id: 'one',
    base: { manifest: `sha256:${manifestRoot(tree.entries)}` },
    editable: [{ id: 'r1', file: 'src/one.ts', region: { start: '  // BEGIN', end: '  // END' } }],
    forbidden: { packs: ['ts/exit'] },
    build: { network: 'none', commands: [{ argv: ['true'] }] },
  };
  writeFileSync(join(place, 'contract.yaml'), stringify(contract));
  const plan = {
    experiment: 1,
    id: 'little',
    instances: [{ id: 'one', path: 'one', stratum: 'controlled', difficulty: 'local' }],
    replicates: 2,
    conditions: ['C0', 'C2'],
    entrants: [{ provider: 'mailbox', name: 'reader', family: 'reader', dir: 'mailbox' }],
    recovery: { on: [], times: 0, wait_s: [0] },
    comparisons: [{ a: 'C2', b: 'C0', unit: 'block', side: 'two' }],
    seed: 7,
  };
  writeFileSync(join(folder, 'plan.yaml'), stringify(plan));
  return folder;
}

type Blobs = { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };

/** A builder that reads the one source file: it builds when the body returns 1. */
export const readingBuilder = (
  blobs: Blobs,
  accepts = (text: string) => text.includes('return 1;'),
): Builder => ({
  async build({ tree }): Promise<ContractBuild> {
    const file = readTree(tree, blobs.get).get('src/one.ts');
    const isTrue = accepts(new TextDecoder().decode(blobs.get(file?.sha256 ?? '')));
    const reasons = isTrue
      ? []
      : [{ code: 'build.exit', path: null, at: null, detail: 'ended with 1' }];
    const log = blobs.put(new TextEncoder().encode('log\n'));
    return {
      ...notRun,
      status: isTrue ? 'true' : 'false',
      reasons,
      sandbox: 'bwrap',
      logRawBlob: log,
      logNormalisedBlob: log,
      reportChannel: 'none',
    };
  },
  probe: async () => null,
});

export const completion = (text: string): Completion => ({
  text,
  finish: 'stop',
  provider: 'mailbox',
  modelRequested: 'reader',
  modelReturned: null,
  responseId: null,
  fromReasoning: false,
  usage: { input: null, cachedInput: null, output: null, reasoning: null },
  provenance: { answeredBy: 'a test' },
});

/** An experiment on disk, frozen, with everything to run and replay it. `place`: an empty folder, else one that goes with the test. */
export async function experimentBench(place = scratch()) {
  const folder = await writeExperiment(place);
  const experiment = readExperiment(folder);
  const own = blobStore();
  const tell = () => undefined;
  const frozen: Frozen = await freeze(experiment, {
    builder: readingBuilder(own),
    blobs: own,
    parse,
    signal,
    tell,
  });
  const record = openRecord(recordFolder(folder));
  return {
    folder,
    frozen,
    record,
    experiment,
    async run(ask: (request: ModelRequest) => Promise<Completion>) {
      const instances = await assertFrozen(experiment, frozen, { blobs: record.blobs, parse });
      const builder = readingBuilder(record.blobs);
      const world = { builder, shells: noShells, clock: fakeClock(), parse, signal, tell };
      return await runExperiment(experiment, frozen, instances, record, {
        ...world,
        ask: (_, request) => ask(request),
      });
    },
    async replay(builder: Builder | null = null) {
      const again = openRecord(recordFolder(folder));
      const instances = await assertFrozen(experiment, frozen, { blobs: blobStore(), parse });
      return await replayRecord(frozen, instances, again, { parse, signal, builder });
    },
    assertFrozen: () => assertFrozen(readExperiment(folder), frozen, { blobs: blobStore(), parse }),
  };
}
