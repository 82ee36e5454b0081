import type { Instance } from '../../schemas/instance.ts';
import type { Probe } from '../../schemas/task.ts';
import type { Candidate } from '../../schemas/verdict.ts';
import { settleAll } from '../settle/settle-all.ts';
import { allFiles, type Bench, observe } from '../validate/observe.ts';
import type { Gathered } from './gather.ts';

/** Run each candidate on the tests, and on the probes where they can tell something. */
export async function runCandidates(
  bench: Bench,
  instance: Instance,
  gathered: readonly Gathered[],
  probes: readonly Probe[],
): Promise<readonly Candidate[]> {
  const ids = instance.groups.flatMap((group) => group.ids);
  const targets = instance.groups
    .filter(({ kind }) => kind !== 'regression')
    .flatMap((group) => group.ids);
  return settleAll(gathered, async (item): Promise<Candidate> => {
    const isWhole = item.set === 'A' || item.set === 'P';
    const files = isWhole ? allFiles(bench.task) : bench.task.tests.files;
    const run = await observe(bench, item.tree, { files });
    const asked = isWhole ? ids : ids.filter((id) => targets.includes(id) || run.ids.includes(id));
    const failing = asked.filter((id) => run.statusOf(id) !== 'passed').toSorted();
    const passesTests = failing.length === 0;
    const failingProbes = passesTests || isWhole ? await failingOf(bench, item.tree, probes) : [];
    return { ...item, run: run.key, failing, passesTests, failingProbes };
  });
}

/** Probes that hold on gold; one that does not is no probe. */
export async function soundProbes(bench: Bench, gold: string): Promise<readonly Probe[]> {
  const { probes } = bench.task;
  const failing = await failingOf(bench, gold, probes);
  return probes.filter(({ id }) => !failing.includes(id));
}

async function failingOf(bench: Bench, tree: string, probes: readonly Probe[]): Promise<string[]> {
  const held = await settleAll(probes, (probe) => holds(bench, tree, probe));
  return probes.filter((_, index) => held[index] !== true).map(({ id }) => id);
}

async function holds(bench: Bench, tree: string, probe: Probe): Promise<boolean> {
  const run = await probeRun(bench, tree, probe);
  return (
    run.status === 'completed' &&
    run.ids.every((id) => run.statusOf(id) === 'passed') &&
    run.ids.length > 0
  );
}

/** A probe runs alone, without the hidden tests beside it. */
const probeRun = (bench: Bench, tree: string, { file }: Probe) =>
  observe(bench, tree, { files: [file.path], overlay: [file] });
