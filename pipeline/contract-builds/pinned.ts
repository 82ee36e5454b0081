import type { Contract, PinnedBuild } from '../../schemas/contract.ts';
import type { Environment } from '../../schemas/environment.ts';
import { contractProblem } from '../contracts/contract-problem.ts';

type Place = Environment['sandbox'];

/** Whether a command is the one that writes the report. */
export const isReporting = (argv: readonly string[]): boolean =>
  argv.some((word) => word.includes('{report}'));

/** What a contract may ask of a build and this builder does not do; to build without it would be another predicate. */
function unsupported(build: PinnedBuild, sandbox: Place): string | null {
  const { report, expect, mounts, tree } = build;
  const lacks: readonly (readonly [boolean, string])[] = [
    [build.runs.length > 0, 'build.runs'],
    [expect.theories !== undefined, 'build.expect.theories'],
    [report !== undefined && report.channel !== 'stream', `report.channel: ${report?.channel}`],
    [build.image !== undefined && sandbox !== 'docker', `build.image in ${sandbox}`],
    [build.resources !== undefined && sandbox === 'process', 'build.resources in process'],
    [build.resources?.cpus !== undefined && sandbox !== 'docker', `resources.cpus in ${sandbox}`],
    [build.workdir !== '/testbed', `build.workdir: ${build.workdir}`],
    [mounts.length > 0 && tree === 'rw', 'build.mounts with build.tree: rw'],
  ];
  return lacks.find(([isAsked]) => isAsked)?.[1] ?? null;
}

const isBelow = (path: string, above: string) => path.startsWith(`${above}/`);

/** What a build asks for and does not give the means for; a builder that let it pass would find it true of every tree. */
function illPosed({ report, expect, commands, writable }: PinnedBuild): string | null {
  const reporting = commands.filter(({ argv }) => isReporting(argv)).length;
  const { fail_to_pass, pass_to_pass, skipped, total } = expect;
  const asksIds = [fail_to_pass, pass_to_pass, skipped, total].some((one) => one !== undefined);
  const asksBaseline = [pass_to_pass === 'all-baseline', skipped === 'same', total === 'same'];
  const paths = writable.map(({ path }) => path);
  const faults: readonly (readonly [boolean, string])[] = [
    [asksIds && report === undefined, 'expects test ids and names no build.report'],
    [report !== undefined && reporting !== 1, `has ${reporting} commands with "{report}", not one`],
    [report !== undefined && !asksIds, 'reports tests and expects none'],
    [asksBaseline.includes(true) && expect.baseline === undefined, 'names no expect.baseline'],
    [paths.some((one) => paths.some((other) => isBelow(one, other))), 'nests writable folders'],
  ];
  return faults.find(([isFaulty]) => isFaulty)?.[1] ?? null;
}

/** B_C of a contract, as far as it can be built here; a contract problem otherwise, before anything runs. */
export function pinned({ build, id }: Contract, sandbox: Place): PinnedBuild {
  const stop = (detail: string) =>
    contractProblem(id, [{ code: 'contract.value', at: 'build', detail }]);
  if (typeof build !== 'object') throw stop('pins no build; write a build mapping');
  const missing = unsupported(build, sandbox);
  if (missing !== null)
    throw stop(`this builder does not do "${missing}"; leave it out, or build elsewhere`);
  const fault = illPosed(build);
  if (fault !== null) throw stop(fault);
  return build;
}
