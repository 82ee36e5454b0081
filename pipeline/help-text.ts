import type { Option, Positional } from './read-flags.ts';

type Described = {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly example: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly positionals: readonly Positional[];
};

type Row = readonly [string, string];

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`).join('\n');
}

function optionRow([name, { kind, value, help, oneOf }]: [string, Option]): Row {
  const word = kind === 'flag' ? '' : ` ${value ?? 'VALUE'}`;
  const list = oneOf === undefined ? '' : ` One of ${oneOf.join(', ')}.`;
  return [`--${name}${word}`, `${help}${list}`];
}

/** What `pipeline VERB --help` prints. */
export function helpText({
  name,
  summary,
  usage,
  example,
  options,
  positionals,
}: Described): string {
  const rows = [
    ...positionals.map(({ name: word, help }): Row => [word, help]),
    ...Object.entries(options).map(optionRow),
  ];
  return `pipeline ${name}: ${summary}

Usage:    ${usage}
Example:  ${example}

${table(rows)}
`;
}

/** What `pipeline --help` prints: every verb with one line. */
export function verbsText(verbs: Readonly<Record<string, { readonly summary: string }>>): string {
  const rows = Object.entries(verbs).map(([name, { summary }]): Row => [name, summary]);
  return `Usage: pipeline VERB [...]

${table(rows)}

"pipeline VERB --help" says more. Exit codes: 0 done, 1 finished with faults or differences, 2 usage,
70 bug, 75 waiting or a fault of the world, 130 cancelled.
`;
}
