import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExperimentPlan, Frozen } from '../../schemas/experiment.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { parseYaml } from '../config/parse-yaml.ts';
import { flagError } from '../config/usage-problem.ts';

/** An experiment's folder: plan.yaml, frozen.json, and record/ with everything a replay needs. */
export type Experiment = {
  readonly folder: string;
  readonly plan: ExperimentPlan;
  readonly planSha256: string;
};

const planFile = 'plan.yaml';
export const frozenFile = 'frozen.json';
export const recordFolder = (folder: string) => join(folder, 'record');

function textOf(path: string, flag: string, expected: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw flagError(flag, expected, `"${path}" (${code})`);
  }
}

/** The plan in a folder, or the plan that is named itself. */
export function readExperiment(given: string): Experiment {
  const path = given.endsWith('.yaml') ? given : join(given, planFile);
  const plan = parseYaml(
    textOf(path, 'DIR', 'a folder with plan.yaml, or the plan itself'),
    path,
    ExperimentPlan,
  );
  return { folder: dirname(path), plan, planSha256: digestOf(plan) };
}

export function readFrozen({ folder }: Experiment): Frozen {
  const path = join(folder, frozenFile);
  const text = textOf(path, 'DIR', 'a frozen experiment; run "pipeline experiment freeze" first');
  return parseYaml(text, path, Frozen);
}

/** The final name appears with the whole content. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.part`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}
