import { Outcome } from '../../schemas/outcome.ts';
import type { ConditionFigures, ExperimentFigures } from './figures.ts';

/** Colours that stay apart for readers who do not tell red from green. */
const colours: Record<Outcome | 'incomplete', string> = {
  'valid-success': '#0072b2',
  'safe-failure': '#999999',
  'invalid-candidate': '#f0e442',
  'rejected-violation': '#e69f00',
  'false-success': '#d55e00',
  incomplete: '#ffffff',
};

const BAR = 26;
const GAP = 12;
const LEFT = 170;
const WIDTH = 460;
const TOP = 54;

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const countOf = (figures: ConditionFigures, name: Outcome | 'incomplete') =>
  name === 'incomplete' ? figures.incomplete : figures.outcomes[name];

const order = [...Outcome.options, 'incomplete'] as const;

function bar(figures: ConditionFigures, top: number): string[] {
  let left = LEFT;
  const label = escaped(`${figures.entrant} ${figures.condition}`);
  const parts = [`<text x="${LEFT - 8}" y="${top + 18}" text-anchor="end">${label}</text>`];
  for (const name of order) {
    const count = countOf(figures, name);
    if (count === 0) continue;
    const width = (WIDTH * count) / figures.rollouts;
    const at = `x="${left.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${BAR}"`;
    parts.push(
      `<rect ${at} fill="${colours[name]}" stroke="#333333"><title>${name}: ${count}</title></rect>`,
      `<text x="${(left + width / 2).toFixed(1)}" y="${top + 18}" text-anchor="middle">${count}</text>`,
    );
    left += width;
  }
  return parts;
}

function legend(): string[] {
  return order.flatMap((name, at) => {
    const x = 10 + at * 115;
    return [
      `<rect x="${x}" y="12" width="12" height="12" fill="${colours[name]}" stroke="#333333"/>`,
      `<text x="${x + 16}" y="22" font-size="10">${name}</text>`,
    ];
  });
}

/** Outcomes by condition as stacked bars: one bar a condition, its parts counted. */
export function reportSvg({ experiment, conditions }: ExperimentFigures): string {
  const height = TOP + conditions.length * (BAR + GAP);
  const size = `width="710" height="${height}" viewBox="0 0 710 ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="13" role="img">`,
    `<title>Outcomes by condition, ${escaped(experiment)}</title>`,
    `<rect width="710" height="${height}" fill="#ffffff"/>`,
    ...legend(),
    ...conditions.flatMap((figures, at) => bar(figures, TOP + at * (BAR + GAP))),
    '</svg>',
    '',
  ].join('\n');
}
