import { Outcome } from '../../schemas/outcome.ts';
import type { Compared } from './compare.ts';
import type { ConditionFigures, ExperimentFigures, Rate } from './figures.ts';
import type { Interval } from './intervals.ts';

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const span = (interval: Interval | null) =>
  interval === null ? '' : `${percent(interval.low)} to ${percent(interval.high)}`;

const known = (value: number | null) => (value === null ? 'unknown' : value);

const rateCells = ({ hits, of, exact, wilson }: Rate) => [
  `${hits}/${of}`,
  of === 0 ? '–' : percent(hits / of),
  span(exact),
  span(wilson),
];

function outcomeTable(conditions: readonly ConditionFigures[]): string[] {
  const head = ['entrant', 'condition', 'rollouts', ...Outcome.options, 'incomplete', 'covered'];
  const rows = conditions.map((one) => [
    one.entrant,
    one.condition,
    one.rollouts,
    ...Outcome.options.map((outcome) => one.outcomes[outcome]),
    one.incomplete,
    `${one.covered} of ${one.instances}`,
  ]);
  return table(head, rows);
}

function rateTable(conditions: readonly ConditionFigures[]): string[] {
  const head = ['entrant', 'condition', 'rate', 'count', 'share', 'exact 95 %', 'Wilson 95 %'];
  const rows = conditions.flatMap((one) => [
    [one.entrant, one.condition, 'valid-success of completed', ...rateCells(one.valid)],
    [one.entrant, one.condition, 'false-success of accepted', ...rateCells(one.falseSuccess)],
  ]);
  return table(head, rows);
}

function accountTable(conditions: readonly ConditionFigures[]): string[] {
  const head = ['entrant', 'condition', 'requests', 'tokens in', 'tokens out', 'any violation'];
  const rows = conditions.map((one) => [
    one.entrant,
    one.condition,
    one.requests,
    known(one.tokensIn),
    known(one.tokensOut),
    one.anyViolation,
  ]);
  return table(head, rows);
}

function strataTable(conditions: readonly ConditionFigures[]): string[] {
  const names = [...new Set(conditions.flatMap(({ strata }) => strata.map(({ name }) => name)))];
  const rows = conditions.map((one) => [
    one.entrant,
    one.condition,
    ...names.map((name) => {
      const own = one.strata.find((stratum) => stratum.name === name);
      return own === undefined ? '–' : `${own.valid}/${own.rollouts}`;
    }),
  ]);
  return table(['entrant', 'condition', ...names], rows);
}

function instanceTable({ instances }: ExperimentFigures): string[] {
  const head = (instances[0]?.valid ?? []).map(
    ({ entrant, condition }) => `${entrant} ${condition}`,
  );
  const rows = instances.map(({ instance, stratum, difficulty, valid }) => [
    instance,
    stratum,
    difficulty,
    ...valid.map((one) => `${one.valid}/${one.of}`),
  ]);
  return table(['instance', 'origin', 'difficulty', ...head], rows);
}

const comparedRow = (one: Compared) => [
  `${one.a} against ${one.b}${one.label === null ? '' : ` (${one.label})`}`,
  one.entrant,
  one.unit,
  one.better,
  one.worse,
  one.ties,
  one.incomplete,
  `${one.side}-sided`,
  one.p,
];

function comparisonTable({ comparisons }: ExperimentFigures): string[] {
  if (comparisons.length === 0) return ['None was declared.'];
  const head = [
    'comparison',
    'entrant',
    'unit',
    'better',
    'worse',
    'ties',
    'left out',
    'side',
    'p',
  ];
  return table(head, comparisons.map(comparedRow));
}

const notes = [
  'A build accepts a tree; it does not say that only what was authorised changed. The two are recorded apart.',
  'Replicates of one instance are not independent samples. Tests by instance are exploratory. A p above the declared line is not significant.',
  'Classes partition the rollouts; an incomplete rollout has no class and is in no rate.',
];

/** The report for people. Everything in it is in the figures; nothing is computed here. `plot`: where one lies, relative to it. */
export function reportMarkdown(figures: ExperimentFigures, plot: string | null = null): string {
  const { conditions, scheduled } = figures;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Outcomes', outcomeTable(conditions)],
    ['Rates', rateTable(conditions)],
    ['Requests and tokens', accountTable(conditions)],
    ['Valid rollouts by stratum', strataTable(conditions)],
    ['Valid rollouts by instance', instanceTable(figures)],
    ['Declared comparisons', comparisonTable(figures)],
    ['How to read this', notes.map((note) => `- ${note}`)],
  ];
  const text = sections.flatMap(([title, lines]) => ['', `## ${title}`, '', ...lines]);
  const head = [
    `# Experiment ${figures.experiment}`,
    '',
    `${scheduled} scheduled ${scheduled === 1 ? 'rollout' : 'rollouts'}, all accounted for.`,
    ...(plot === null ? [] : ['', `![Outcomes by condition](${plot})`]),
  ];
  return `${[...head, ...text].join('\n')}\n`;
}
