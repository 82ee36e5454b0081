import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDocument, visit } from 'yaml';
import { ExperimentPlan, Frozen } from '../../schemas/experiment.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { utf8 } from '../../stages/contract/text.ts';
import { choices } from '../config/nearest.ts';
import { checkValue, parseYaml } from '../config/parse-yaml.ts';
import { flagError, usageError } from '../config/usage-problem.ts';
import { namedFile } from '../contracts/read-contract.ts';

/** An experiment's folder: plan.yaml, frozen.json, and record/ with everything a replay needs. */
export type Experiment = {
  readonly folder: string;
  readonly plan: ExperimentPlan;
  readonly planSha256: string;
};

const planFile = 'plan.yaml';
export const frozenFile = 'frozen.json';
export const recordFolder = (folder: string) => join(folder, 'record');

/** As much as any plan, and any frozen plan with the output of its baselines, takes. */
const MAX_BYTES = 16 * 1024 * 1024;

function textOf(path: string, expected: string): string {
  const bytes = namedFile(path, MAX_BYTES, 'DIR', expected);
  if (!('length' in bytes))
    throw flagError('DIR', `a file of at most ${MAX_BYTES} bytes`, `"${path}" (${bytes.size})`);
  const text = utf8(bytes);
  if (text === null) throw flagError('DIR', 'a file in UTF-8', `"${path}"`);
  return text;
}

/** The plan in a folder, or the plan that is named itself. */
export function readExperiment(given: string): Experiment {
  const path = given.endsWith('.yaml') ? given : join(given, planFile);
  const text = textOf(path, 'a folder with plan.yaml, or the plan itself');
  const plan = parseYaml(text, path, ExperimentPlan);
  assertNoAlias(text, path);
  assertComparable(plan, path);
  return { folder: dirname(path), plan, planSha256: digestOf(plan) };
}

/** A plan is read by people who trust what stands in one place, as a contract is. */
function assertNoAlias(text: string, file: string): void {
  visit(parseDocument(text), {
    Alias(_, { source }) {
      throw usageError([
        { path: '', expected: 'values written out', got: `the alias *${source}`, file, line: null },
      ]);
    },
  });
}

/** A comparison of a condition that is not run would be found empty after all answers are paid for. */
function assertComparable({ conditions, comparisons }: ExperimentPlan, file: string): void {
  const names = conditions.map((given) => (typeof given === 'string' ? given : given.name));
  const problems = comparisons.flatMap(({ a, b }, at) =>
    Object.entries({ a, b }).flatMap(([side, name]) =>
      names.includes(name)
        ? []
        : [
            {
              path: `comparisons[${at}].${side}`,
              expected: choices(name, names),
              got: `"${name}"`,
              file,
              line: null,
            },
          ],
    ),
  );
  if (problems.length > 0) throw usageError(problems);
}

export function readFrozen({ folder }: Experiment): Frozen {
  const path = join(folder, frozenFile);
  const text = textOf(path, 'a frozen experiment; run "pipeline experiment freeze" first');
  const value = jsonOf(text);
  if (value === undefined)
    throw flagError(
      'DIR',
      'frozen.json as "experiment freeze" wrote it',
      `"${path}", cut or changed`,
    );
  return checkValue(Frozen, value, {
    placeOf: () => ({ file: path, line: null }),
    typedAt: () => null,
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

/** A record was made under the frozen plan that lies beside it; another would make it a record of nothing. */
export function assertUnrun({ folder }: Experiment): void {
  if (!existsSync(recordFolder(folder))) return;
  throw flagError(
    'DIR',
    'an experiment that was not run yet',
    `"${folder}", which has a record; freeze a copy of the folder without record/`,
  );
}

/** The final name appears with the whole content. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.part`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}
