import { parseArgs } from 'node:util';
import { choices } from './config/nearest.ts';
import type { UsageProblem } from './config/usage-problem.ts';

/** One flag of a verb. `integer` and `number` are checked; `list` may be given more than once. */
export type Option = {
  readonly kind: 'flag' | 'text' | 'integer' | 'number' | 'list';
  readonly help: string;
  /** What stands for the value in the help text. */
  readonly value?: string;
  readonly oneOf?: readonly string[];
};

/** What stands without a flag, in order; a last one with `many` takes all that is left. */
export type Positional = {
  readonly name: string;
  readonly help: string;
  readonly isOptional?: boolean;
  readonly many?: boolean;
};

/** The flags of a verb by name, without the dashes. */
export type Options = Readonly<Record<string, Option>>;

type Parsed = {
  readonly values: Record<string, unknown>;
  readonly positionals: string[];
  readonly problems: UsageProblem[];
  readonly given: Set<string>;
};

const flagProblem = (path: string, expected: string, got: string): UsageProblem => ({
  path,
  expected,
  got,
  file: null,
  line: null,
});

/** Take flags apart and check each. Node's own parser is asked leniently, for tokens only: in strict mode it stops at the first problem. */
export function readFlags(argv: readonly string[], options: Options): Parsed {
  const shapes = Object.entries(options).map(
    ([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(shapes), help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  });
  const parsed: Parsed = {
    values: defaults(options),
    positionals: [],
    problems: [],
    given: new Set(),
  };
  for (const token of tokens) {
    if (token.kind === 'positional') parsed.positionals.push(token.value);
    if (token.kind === 'option') take(token, options, parsed);
  }
  return parsed;
}

const defaults = (options: Options): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { kind }]) => [
      name,
      kind === 'flag' ? false : kind === 'list' ? [] : undefined,
    ]),
  );

type Token = {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
};

/** `--run --json` forgot a name; whoever means it writes `--run=--json`. */
function isForgotten({ value, inlineValue }: Token): boolean {
  return inlineValue === false && value !== undefined && /^--?[a-z]/.test(value);
}

function take(token: Token, options: Options, parsed: Parsed): void {
  const { name, rawName, value } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const known = Object.keys(options).map((flag) => `--${flag}`);
    parsed.problems.push(flagProblem('', choices(rawName, known), `"${rawName}"`));
    return;
  }
  const isAgain = option.kind !== 'list' && option.kind !== 'flag' && parsed.given.has(name);
  parsed.given.add(name);
  const problem = isAgain
    ? 'it once'
    : isForgotten(token)
      ? aValue(option)
      : valueProblem(option, value);
  if (problem !== null) {
    const got = value === undefined ? 'nothing' : `"${value}"`;
    parsed.problems.push(flagProblem(rawName, problem, got));
    return;
  }
  parsed.values[name] = valueFor(option, value, parsed.values[name]);
}

const numerals = {
  integer: { pattern: /^-?\d{1,15}$/, what: 'a whole number' },
  number: { pattern: /^-?\d+(\.\d+)?$/, what: 'a number' },
} as const;

function valueProblem(option: Option, value: string | undefined): string | null {
  if (option.kind === 'flag') return value === undefined ? null : 'no value';
  return value === undefined || value === '' ? aValue(option) : misfit(option, value);
}

const aValue = ({ value }: Option) => (value === undefined ? 'a value' : `a value ${value}`);

function misfit(option: Option, value: string): string | null {
  const { kind, oneOf } = option;
  if (kind === 'integer' || kind === 'number') {
    return numerals[kind].pattern.test(value) ? null : numerals[kind].what;
  }
  if (oneOf !== undefined) return oneOf.includes(value) ? null : choices(value, oneOf);
  return null;
}

function valueFor({ kind }: Option, value: string | undefined, before: unknown): unknown {
  if (kind === 'flag') return true;
  if (kind === 'integer' || kind === 'number') return Number(value);
  return kind === 'list' && Array.isArray(before) ? [...before, value] : value;
}

/** Positionals that are missing or too many. */
export function misplaced(given: readonly string[], wanted: readonly Positional[]): UsageProblem[] {
  const missing = wanted
    .slice(given.length)
    .filter(({ isOptional }) => isOptional !== true)
    .map(({ name, help }) => flagProblem(name, help, 'nothing'));
  if (wanted.at(-1)?.many === true) return missing;
  const extra = given.slice(wanted.length);
  return [...missing, ...extra.map((word) => flagProblem('', 'nothing more', `"${word}"`))];
}
