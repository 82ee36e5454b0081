/** @module-tag kill */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ModelSent } from '../../pipeline/ledger/model-events.ts';
import { openLedger } from '../../pipeline/ledger/open.ts';
import { StageEnded } from '../../pipeline/ledger/record-events.ts';
import { expectSameEnd, wholeRun } from '../support/kill-and-resume.ts';
import { countedStory } from '../support/killed-runs.ts';

const POINTS = 10;

/** The lines of a run's ledger between which its solvers are asked and their answers graded. */
function gradingOf(out: string): { readonly from: number; readonly to: number } {
  const ledger = openLedger({ folder: join(out, 'main'), mode: 'read', clock: { now: () => 0 } });
  const all = ledger.events();
  ledger.close();
  const from = all.findIndex(
    ({ kind, body }) => kind === 'model-sent' && ModelSent.parse(body).role === 'solver',
  );
  const to = all.findIndex(
    ({ kind, body }, at) =>
      at > from && kind === 'stage-ended' && StageEnded.parse(body).stage === 'solve',
  );
  return { from: from + 1, to: to + 1 };
}

test('kill -9 line by line through the grading, and the same command ends with the same release bytes', async () => {
  const story = await countedStory();
  const whole = await wholeRun(story);
  const { from, to } = gradingOf(whole);
  expect(to - from).toBeGreaterThan(3);
  const steps = Array.from({ length: POINTS - 1 }, () => ({ events: 1 }));
  const lives = await expectSameEnd(story, whole, 'graded', [{ events: from }, ...steps]);
  const killed = lives.filter(({ ended }) => ended.signal === 'SIGKILL');
  expect(killed).toHaveLength(POINTS);
  const inGrading = killed.filter(({ lines }) => lines >= from && lines < to);
  expect(inGrading.length).toBeGreaterThanOrEqual(2);
});
