/** @module-tag bwrap */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { variable } from '../../../pipeline/env.ts';
import { openTestRuns } from '../../../pipeline/runs/open.ts';
import { sandboxes } from '../../../pipeline/sandboxes/registry.ts';
import { withSlots } from '../../../pipeline/with-slots.ts';
import { repeatGold } from '../../../stages/flakes/repeat-gold.ts';
import { flakySuites } from '../../support/flaky-suites.ts';
import { limiter, playLimiter } from '../../support/limiter.ts';
import { realClock } from '../../support/real-clock.ts';
import { keepTree, specFor } from '../../support/test-run.ts';
import { onBench } from '../../support/woven.ts';

const PATIENCE = 120_000;
/** With the runs that ask why, a test that fails every second time is missed once in ten thousand. */
const REPEATS = 10;

type Suite = NonNullable<(typeof flakySuites)['node-test']>;

/** Gold as admission repeats it, in real boxes. */
async function repeated(runner: 'node-test' | 'unittest', { tree, files }: Suite) {
  const woven = await onBench(limiter, playLimiter, { settings: { repeats: REPEATS } });
  const { ledger, bench } = woven;
  const host = { PATH: variable('PATH') ?? '' };
  const cache = join(tmpdir(), 'csw-flakes-cache');
  const sandbox = sandboxes.bwrap({ run: 'flakes', cache, host });
  const runs = withSlots(openTestRuns({ sandbox, ledger, clock: realClock }), 2);
  const name = keepTree(ledger, tree);
  const prepared = await runs.prepare(specFor(runner), name, bench.context.signal);
  if (!prepared.ready) throw new Error(prepared.tail);
  const task = { ...bench.task, tests: { ...bench.task.tests, overlay: [] } };
  const context = { ...bench.context, runs };
  const real = { task, environment: prepared.environment, context };
  return await repeatGold(real, name, files);
}

const shortly = (id: string) => id.replace(/^.* > (?:test_[a-z]_)?/u, '').replaceAll('_', ' ');

const suiteOf = (runner: 'node-test' | 'unittest'): Suite => {
  const suite = flakySuites[runner];
  if (suite === undefined) throw new Error(`no suite for ${runner}`);
  return suite;
};

describe.each(['node-test', 'unittest'] as const)('a suite of %s', (runner) => {
  test('shows its test that leans on order, on the date and on luck, and keeps the steady one', {
    timeout: PATIENCE,
  }, async () => {
    const { flakes, runs } = await repeated(runner, suiteOf(runner));
    const found = Object.fromEntries(flakes.map(({ id, suspect }) => [shortly(id), suspect]));
    expect(found).toMatchObject({
      'needs the one before': 'order',
      'offer still open': 'clock',
      lucky: expect.any(String),
    });
    expect(Object.keys(found)).not.toContain('steady');
    expect(Object.keys(found)).not.toContain('sets up');
    const clocks = runs.flatMap(({ disturbed }) => (disturbed === null ? [] : [disturbed.clock]));
    expect(clocks).toContain('preload');
  });

  test('loses nothing where no test ever changes', { timeout: PATIENCE }, async () => {
    const { tree, files } = suiteOf(runner);
    const steady = Object.fromEntries(
      Object.entries(tree).map(([path, text]) => [path, onlySteady(text)]),
    );
    const { flakes, runs, mute } = await repeated(runner, { tree: steady, files });
    expect([flakes, mute]).toEqual([[], []]);
    expect(runs).toHaveLength(REPEATS);
    expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'completed'));
    expect(runs[0]?.ids.map(shortly).toSorted()).toEqual(['sets up', 'steady']);
  });
});

/** The suite's text without the tests that change their verdict. */
const onlySteady = (text: string): string =>
  text.replace(/^test\('(?:needs|offer|lucky).*\n/gmu, '').replace(/ {4}def test_c_[\s\S]*$/u, '');
