import { readFileSync } from 'node:fs';
import { RunConfig } from '../schemas/run-config.ts';
import { choices } from './config/nearest.ts';
import { checkValue, type Origin, pathText, valueAt } from './config/parse-yaml.ts';
import { readYaml } from './config/read-yaml.ts';
import { flagError, isUsageError, type UsageProblem, usageError } from './config/usage-problem.ts';

/** Values from flags that lie over the file's: the same keys, as deep as needed; `undefined` is not given. */
export type Overrides = { readonly [key: string]: unknown };

type Path = readonly PropertyKey[];

const nowhere = { file: null, line: null };

/** What a flag gave stands in no file, also when there is one. */
function originOf(file: Origin | null, overrides: Overrides): Origin {
  const isGiven = (path: Path) => path.length > 0 && valueAt(overrides, path) !== undefined;
  return {
    placeOf: (path) => (file === null || isGiven(path) ? nowhere : file.placeOf(path)),
    typedAt: (path) => (file === null || isGiven(path) ? null : file.typedAt(path)),
  };
}

/**
 * The run file with flags laid over it; a null path is a file with nothing in it.
 * Throws every problem at once as a usage error: unreadable YAML, unknown keys, wrong values, names of no model.
 */
export function readRunConfig(path: string | null, overrides: Overrides = {}): RunConfig {
  const file = path === null ? null : readYaml(textOf(path), path);
  const origin = originOf(file, overrides);
  const value = laidOver(file?.value ?? {}, overrides);
  const problems = [...problemsOf(() => checkValue(RunConfig, value, origin))];
  problems.push(...nameProblems(value, origin));
  if (problems.length > 0) throw usageError(problems.toSorted(byLine));
  return RunConfig.parse(value);
}

const byLine = (left: UsageProblem, right: UsageProblem) => (left.line ?? 0) - (right.line ?? 0);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw flagError('--config', 'a file that can be read', `"${path}" (${error.message})`);
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function laidOver(value: unknown, over: unknown): unknown {
  if (over === undefined) return value;
  if (!isPlain(over) || !(isPlain(value) || value === undefined)) return over;
  const result: Record<string, unknown> = { ...value };
  for (const [key, member] of Object.entries(over)) {
    const laid = laidOver(result[key], member);
    if (laid !== undefined) result[key] = laid;
  }
  return result;
}

function problemsOf(check: () => unknown): readonly UsageProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (isUsageError(error)) return error.problems;
    throw error;
  }
}

type Mention = { readonly path: Path; readonly name: string };

/** Every place of a config that names a model. Works on what the user wrote, so that one list holds all problems. */
function mentions(value: unknown): Mention[] {
  if (!isPlain(value)) return [];
  const places: (readonly [PropertyKey[], unknown])[] = [];
  if (isPlain(value.roles)) {
    for (const [role, names] of Object.entries(value.roles)) places.push([['roles', role], names]);
  }
  if (isPlain(value.synthesize)) {
    places.push([['synthesize', 'solo_solvers'], value.synthesize.solo_solvers]);
  }
  return places.flatMap(([path, names]) =>
    Array.isArray(names)
      ? names.flatMap((name, at) =>
          typeof name === 'string' ? [{ path: [...path, at], name }] : [],
        )
      : typeof names === 'string'
        ? [{ path, name: names }]
        : [],
  );
}

function declared(value: unknown): string[] {
  const models: unknown = isPlain(value) ? value.models : undefined;
  if (!Array.isArray(models)) return [];
  return models.flatMap((model) =>
    isPlain(model) && typeof model.name === 'string' ? [model.name] : [],
  );
}

function nameProblems(value: unknown, origin: Origin): UsageProblem[] {
  const known = declared(value);
  const at = (path: Path) => ({
    path: pathText(path),
    ...origin.placeOf(path),
  });
  const unknown = mentions(value)
    .filter(({ name }) => !known.includes(name))
    .map(({ path, name }) => ({
      ...at(path),
      expected:
        known.length === 0 ? 'a model named under models, and there is none' : choices(name, known),
      got: `"${name}"`,
    }));
  const twice = known.flatMap((name, index) =>
    known.indexOf(name) === index
      ? []
      : [
          {
            ...at(['models', index, 'name']),
            expected: 'each model name once',
            got: `"${name}" again`,
          },
        ],
  );
  return [...unknown, ...twice];
}
