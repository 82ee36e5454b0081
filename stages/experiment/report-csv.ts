import { Outcome } from '../../schemas/outcome.ts';
import type { ConditionFigures, ExperimentFigures, Rate } from './figures.ts';

const cell = (value: string | number | null) => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const ends = ({ exact }: Rate) => [exact?.low ?? null, exact?.high ?? null];

const columns = [
  'entrant',
  'condition',
  'rollouts',
  ...Outcome.options,
  'incomplete',
  'covered',
  'instances',
  'accepted',
  'false_success_rate_low',
  'false_success_rate_high',
  'valid_rate_low',
  'valid_rate_high',
  'any_violation',
  'requests',
  'tokens_in',
  'tokens_out',
];

const row = (figures: ConditionFigures) => [
  figures.entrant,
  figures.condition,
  figures.rollouts,
  ...Outcome.options.map((outcome) => figures.outcomes[outcome]),
  figures.incomplete,
  figures.covered,
  figures.instances,
  figures.falseSuccess.of,
  ...ends(figures.falseSuccess),
  ...ends(figures.valid),
  figures.anyViolation,
  figures.requests,
  figures.tokensIn,
  figures.tokensOut,
];

/** The table of conditions, one line each; an unknown number is an empty cell. Intervals are exact, 95 %. */
export function reportCsv({ conditions }: ExperimentFigures): string {
  return [columns, ...conditions.map(row)].map((line) => `${line.map(cell).join(',')}\n`).join('');
}
