import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import type { Seed, SeedGraph } from '../../../schemas/seed.ts';
import { graphDot, graphSvg } from '../../../stages/weave/graph-text.ts';

const seeds = [
  { id: 'a', title: 'Take "two" <tokens> & wait' },
  {
    id: 'b',
    title: `A title\nof two lines that goes on for more than anybody would read in a picture`,
  },
] as Seed[];
const graph: SeedGraph = {
  source: 'x',
  seeds: ['a', 'b'],
  edges: [{ from: 'a', to: 'b', kind: 'blame', weight: 3.2, evidence: '2 lines of <a.ts>' }],
};

test('a graph in DOT names every seed and every edge, whatever their titles hold', () => {
  const dot = graphDot([graph], seeds);
  expect(dot).toContain('"a" [label="Take \\"two\\" <tokens> & wait"];');
  expect(dot).toContain('"a" -- "b" [label="blame", weight=3];');
  expect(dot.split('\n')).toHaveLength(5);
});

test('a graph in SVG is well formed, and holds each edge with its evidence', () => {
  const found: string[] = [];
  const titles: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => void found.push(name));
  parser.on('text', (text) => void titles.push(text));
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(graphSvg([graph], seeds)).close();
  expect(found.filter((name) => name === 'path')).toHaveLength(1);
  expect(titles).toContain('blame: 2 lines of <a.ts>');
  expect(titles).toContain('Take "two" <tokens> & wait');
  expect(titles.some((text) => text.endsWith('…'))).toBe(true);
});
