import type { Seed, SeedEdge, SeedGraph } from '../../schemas/seed.ts';

type Titles = ReadonlyMap<string, string>;

const quoted = (text: string) =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', ' ')}"`;

const titlesOf = (seeds: readonly Seed[]): Titles =>
  new Map(seeds.map(({ id, title }) => [id, title]));

/** Seed graphs in DOT, with the kind of each edge as its label. */
export function graphDot(graphs: readonly SeedGraph[], seeds: readonly Seed[]): string {
  const titles = titlesOf(seeds);
  const lines = graphs.flatMap(({ seeds: ids, edges }) => [
    ...ids.map((id) => `  ${quoted(id)} [label=${quoted(titles.get(id) ?? id)}];`),
    ...edges.map(
      ({ from, to, kind, weight }) =>
        `  ${quoted(from)} -- ${quoted(to)} [label=${quoted(kind)}, weight=${Math.round(weight)}];`,
    ),
  ]);
  return ['graph seeds {', ...lines, '}'].join('\n');
}

/** Colours that stay apart for readers who do not tell red from green. */
const colours: Readonly<Record<SeedEdge['kind'], string>> = {
  'same-symbol': '#d55e00',
  blame: '#cc79a7',
  'same-file': '#0072b2',
  'test-overlap': '#999999',
  'thread-link': '#009e73',
};

const ROW = 22;
const LEFT = 340;
const MARGIN = 30;
const MOST_TITLE = 52;

const escaped = (text: string) =>
  text.replace(/[&<>"]/gu, (sign) => `&#${sign.codePointAt(0)};`).replace(/\p{Cc}/gu, ' ');

const shortened = (text: string) =>
  Array.from(text).length > MOST_TITLE
    ? `${Array.from(text)
        .slice(0, MOST_TITLE - 1)
        .join('')}…`
    : text;

/** An arc to the right of the list, the wider the farther its ends lie apart. */
function arc(
  { from, to, kind, weight, evidence }: SeedEdge,
  rows: ReadonlyMap<string, number>,
): string {
  const [a, b] = [rows.get(from) ?? 0, rows.get(to) ?? 0];
  const width = 24 + Math.abs(b - a) * 0.5;
  const path = `M ${LEFT} ${a} C ${LEFT + width} ${a}, ${LEFT + width} ${b}, ${LEFT} ${b}`;
  const title = escaped(`${kind}: ${evidence}`);
  return `<path d="${path}" fill="none" stroke="${colours[kind]}" stroke-opacity="0.6" stroke-width="${Math.max(1, Math.min(4, weight / 2)).toFixed(1)}"><title>${title}</title></path>`;
}

/** Seed graphs as one SVG: seeds from old to new in a column, edges as arcs beside it, evidence where the pointer rests. */
export function graphSvg(graphs: readonly SeedGraph[], seeds: readonly Seed[]): string {
  const titles = titlesOf(seeds);
  const ids = graphs.flatMap((graph) => graph.seeds);
  const rows = new Map(ids.map((id, at) => [id, MARGIN + at * ROW]));
  const edges = graphs.flatMap((graph) => graph.edges);
  const height = 2 * MARGIN + (ids.length + Object.keys(colours).length) * ROW;
  const width = LEFT + 60 + ids.length * ROW * 0.4;
  const labels = ids.map(
    (id) =>
      `<text x="${LEFT - 8}" y="${(rows.get(id) ?? 0) + 4}" text-anchor="end"><title>${escaped(id)}</title>${escaped(shortened(titles.get(id) ?? id))}</text>`,
  );
  const legend = Object.entries(colours).map(
    ([kind, colour], at) =>
      `<text x="${LEFT - 8}" y="${MARGIN + (ids.length + at + 1) * ROW}" text-anchor="end" fill="${colour}">${kind}</text>`,
  );
  const arcs = edges.map((edge) => arc(edge, rows));
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" font-family="sans-serif" font-size="11">`;
  return [
    head,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...arcs,
    ...labels,
    ...legend,
    '</svg>',
  ].join('\n');
}
