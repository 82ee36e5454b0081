/** @module-tag slow */
import { describe, expect, test } from 'vitest';
import type { EnvironmentSpec, Runner } from '../../../schemas/environment.ts';
import type { Disturbance } from '../../../schemas/flake.ts';
import type { TestRunResult } from '../../../schemas/test-run.ts';
import { flakySuites } from '../../support/flaky-suites.ts';
import { hasRunner, liveSpec, runProject } from '../../support/live-run.ts';
import { reportFixture } from '../../support/report-fixture.ts';

const PATIENCE = 60_000;
const YEAR_S = 366 * 86_400;
type Place = Parameters<typeof runProject>[2];

async function disturbed(runner: Runner, disturbance: Disturbance, where?: Place) {
  const suite = flakySuites[runner];
  if (suite === undefined) throw new Error(`no suite for ${runner}`);
  return await runProject(liveSpec(runner), suite, where, { disturbance });
}

const statuses = ({ report }: TestRunResult) =>
  Object.fromEntries(
    report.results.map(({ id, status }) => [id.replace(/^.*(?:> |::)(?:test_)?/u, ''), status]),
  );

const named = (of: Record<string, string>, words: RegExp) =>
  Object.entries(of).find(([name]) => words.test(name))?.[1];

const runners = Object.entries(hasRunner).map(([runner, isThere]) => [runner, isThere] as const);

function changes(runner: Runner, isThere: boolean, where: Place): void {
  test.skipIf(!isThere)(
    `${runner}: another clock alone fails what trusts the date, and nothing else`,
    async () => {
      const result = await disturbed(runner, { order: null, clockShiftS: YEAR_S }, where);
      const of = statuses(result);
      expect(result).toMatchObject({
        status: 'completed',
        disturbed: { order: 'none', clock: 'preload' },
      });
      expect(named(of, /offer.still.open/u)).toBe('failed');
      expect([named(of, /steady/u), named(of, /needs.the/u)]).toEqual(['passed', 'passed']);
    },
    PATIENCE,
  );

  test.skipIf(!isThere || runner === 'vitest')(
    `${runner}: the reversed order alone fails what leans on a neighbour, and nothing else`,
    async () => {
      const result = await disturbed(runner, { order: 'reverse', clockShiftS: 0 }, where);
      const of = statuses(result);
      expect(result).toMatchObject({
        status: 'completed',
        disturbed: { order: 'tests', clock: 'none' },
      });
      expect(named(of, /needs.the/u)).toBe('failed');
      expect([named(of, /steady/u), named(of, /offer.still.open/u)]).toEqual(['passed', 'passed']);
    },
    PATIENCE,
  );
}

describe('a disturbed run', () => {
  for (const [runner, isThere] of runners) changes(runner as Runner, isThere === true, 'process');

  test(
    'vitest: some seed turns neighbours round',
    async () => {
      const found: unknown[] = [];
      for (const order of [2, 3, 4, 5, 6, 7]) {
        const result = await disturbed('vitest', { order, clockShiftS: 0 });
        expect(result.disturbed).toEqual({ order: 'tests', clock: 'none' });
        found.push(named(statuses(result), /needs.the/u));
        if (found.includes('failed')) break;
      }
      expect(found).toContain('failed');
    },
    PATIENCE,
  );
});

describe('in bubblewrap', { tags: ['bwrap'] }, () => {
  changes('node-test', true, 'bwrap');
  changes('unittest', true, 'bwrap');
});

/** A run under `reverse` and a later year at once tells of every test what an ordinary run tells, place included. */
async function unmoved(spec: EnvironmentSpec): Promise<void> {
  const { expected: _, ...project } = reportFixture(spec.runner);
  const disturbance = { order: 'reverse' as const, clockShiftS: YEAR_S };
  const plain = await runProject(spec, project);
  const result = await runProject(spec, project, 'process', { disturbance });
  // Tests of one name are numbered as they come.
  const places = ({ results }: TestRunResult['report']) =>
    results
      .map(({ id, line, status }) => `${id.replace(/ #\d+$/u, '')} ${line} ${status}`)
      .toSorted();
  expect(places(result.report)).toEqual(places(plain.report));
  expect(plain.report.results.length).toBeGreaterThan(5);
  expect(result).toMatchObject({ status: plain.status, exitCode: plain.exitCode });
  expect(result.disturbed).toEqual({ order: 'tests', clock: 'preload' });
}

describe('a stable suite with every ending', () => {
  for (const [runner, isThere] of runners)
    test.skipIf(isThere !== true)(`${runner}: stays what it was`, { timeout: PATIENCE }, () =>
      unmoved(liveSpec(runner as Runner)),
    );

  test(
    'node-test: stays what it was also with all files in one process',
    { timeout: PATIENCE },
    () => unmoved(liveSpec('node-test', { together: true })),
  );
});
