import type { z } from 'zod';
import { choices } from './nearest.ts';
import { readYaml, type YamlFile } from './read-yaml.ts';
import { keysAt } from './schema-keys.ts';
import { type UsageProblem, usageError } from './usage-problem.ts';

type Path = readonly PropertyKey[];

/** Where a value stands, as people write it: `models[0].price.input`. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number'
        ? `${text}[${part}]`
        : `${text}${text === '' ? '' : '.'}${String(part)}`,
    '',
  );

/** Where the values that are checked come from: a file, or flags, which have no place. */
export type Origin = Pick<YamlFile, 'placeOf' | 'typedAt'>;

/** What the value at a path looks like to the user: as typed, else as JSON, shortened. */
function shown(value: unknown, path: Path, origin: Origin): string {
  const found = valueAt(value, path);
  if (found === undefined) return 'nothing';
  if (typeof found === 'string') return JSON.stringify(found);
  const typed = origin.typedAt(path);
  if (typed !== null && String(found) === String(Number(typed))) return `the number ${typed}`;
  const text = typed ?? JSON.stringify(found) ?? String(found);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined),
    value,
  );
}

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'string'
        ? 'a string (in quotes)'
        : `a value of type ${issue.expected}`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_format':
      return issue.pattern === undefined ? `a ${issue.format}` : `text like ${issue.pattern}`;
    case 'invalid_union':
      return optionsOf(issue) ?? 'one of the shapes that the field allows';
    default:
      return issue.message.replace(/^expected /i, '');
  }
}

const unit = (origin: string) =>
  origin === 'array' ? ' entries' : origin === 'string' ? ' characters' : '';

function optionsOf(issue: z.core.$ZodIssue): string | null {
  if (!('options' in issue) || !Array.isArray(issue.options)) return null;
  return `one of ${issue.options.map((option) => JSON.stringify(option)).join(', ')}`;
}

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.ZodType,
  value: unknown,
  origin: Origin,
): UsageProblem[] {
  const known = keysAt(schema, value, issue.path);
  return issue.keys.map((key) => ({
    path: pathText([...issue.path, key]),
    expected: choices(key, known),
    got: `"${key}"`,
    ...origin.placeOf([...issue.path, key]),
  }));
}

/** Check a value by a schema; throws every problem at once as a usage error with path, expected, got and line. */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown, origin: Origin): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw usageError(
    parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownKeys(issue, schema, value, origin)
        : [
            {
              path: pathText(issue.path),
              expected: expectedBy(issue),
              got: shown(value, issue.path, origin),
              ...origin.placeOf(issue.path),
            },
          ],
    ),
  );
}

/** Read a text as YAML (or JSON) and check it by a schema. Throws a usage error with every problem at once. */
export function parseYaml<T>(text: string, name: string, schema: z.ZodType<T>): T {
  const file = readYaml(text, name);
  return checkValue(schema, file.value, file);
}
