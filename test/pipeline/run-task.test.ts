import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runTask } from '../../pipeline/run-task.ts';
import type { LedgerEvent } from '../../schemas/event.ts';
import type { Context } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { defineStage, done, type Ending, redo, reject, type Stage } from '../../stages/stage.ts';
import { storyContext } from '../support/context.ts';
import { memoryEvents, opened } from '../support/memory-events.ts';

const { context } = await storyContext();

/** Three stages that count how often they ran; the second and third do what a test says. */
function walkOf(
  plays: {
    readonly prove?: (task: number, signal: AbortSignal) => Promise<Ending<{ proof?: number }>>;
    readonly mend?: (task: number) => Promise<Ending<{ task?: number }>>;
  } = {},
) {
  const ran: string[] = [];
  const write = defineStage({
    name: 'write',
    needs: { seed: z.number() },
    gives: { task: z.number() },
    async run({ seed }, _: Context) {
      ran.push('write');
      return done({ task: seed });
    },
  });
  const prove = defineStage({
    name: 'prove',
    needs: { task: z.number() },
    gives: { proof: z.number() },
    async run({ task }, { signal }: Context) {
      ran.push('prove');
      return plays.prove?.(task, signal) ?? done({ proof: task * 10 });
    },
  });
  const mend = defineStage({
    name: 'mend',
    needs: { task: z.number(), proof: z.number() },
    gives: { task: z.number() },
    async run({ task }, _: Context) {
      ran.push('mend');
      return plays.mend?.(task) ?? done({});
    },
  });
  return { stages: [write, prove, mend] satisfies Stage[], ran };
}

type Walked = ReturnType<typeof walkOf>;
const walk = (
  { stages }: Walked,
  ledger: ReturnType<typeof memoryEvents>,
  rest: { until?: string; maxRevisions?: number; context?: Context } = {},
) => runTask({ record: 'r', stages, until: 'mend', maxRevisions: 3, context, ledger, ...rest });

const fresh = () => memoryEvents([opened('r', { seed: 7 })]);
const broken = () => Promise.reject(new Fault('The box broke.', { code: 'sandbox-lost' }));

test('a walk goes to the last stage of its verb, and the next verb goes on from there', async () => {
  const [walked, ledger] = [walkOf(), fresh()];
  expect(await walk(walked, ledger, { until: 'prove' })).toMatchObject({
    next: 'mend',
    facts: { seed: 7, task: 7, proof: 70 },
  });
  expect(await walk(walked, ledger)).toMatchObject({ next: null, ordinal: 3 });
  await walk(walked, ledger);
  expect(walked.ran).toEqual(['write', 'prove', 'mend']);
});

describe('a fault', () => {
  test('ends the walk, keeps the facts won so far and is no rejection', async () => {
    const ledger = fresh();
    const state = await walk(walkOf({ prove: broken }), ledger);
    expect(state).toEqual({
      facts: { seed: 7, task: 7 },
      next: 'prove',
      revision: 0,
      ordinal: 1,
      rejection: null,
      fault: { stage: 'prove', code: 'sandbox-lost', message: 'The box broke.' },
      excluded: null,
    });
  });

  test('is gone once the stage has ended; what was done before is not done again', async () => {
    const ledger = fresh();
    await walk(walkOf({ prove: broken }), ledger);
    await walk(walkOf({ prove: broken }), ledger);
    const walked = walkOf();
    expect(await walk(walked, ledger)).toMatchObject({ next: null, fault: null });
    expect(walked.ran).toEqual(['prove', 'mend']);
    expect(ledger.events('record-faulted')).toHaveLength(2);
  });

  test('right after a redo does not bring back what the redo forgot', async () => {
    const ledger = fresh();
    const prove = (task: number) => (task === 8 ? broken() : Promise.resolve(done({ proof: 70 })));
    const state = await walk(
      walkOf({ prove, mend: async () => redo('prove', { task: 8 }) }),
      ledger,
    );
    expect(state).toMatchObject({ facts: { seed: 7, task: 8 }, revision: 1, next: 'prove' });
    expect(state.facts).not.toHaveProperty('proof');
  });
});

describe('a redo', () => {
  test('goes back with new facts, and the stages in between run again', async () => {
    const walked = walkOf({
      mend: async (task) => (task < 9 ? redo('prove', { task: task + 1 }) : done({})),
    });
    const state = await walk(walked, fresh());
    expect(state).toMatchObject({ facts: { task: 9, proof: 90 }, revision: 2, next: null });
    expect(walked.ran).toEqual(['write', 'prove', 'mend', 'prove', 'mend', 'prove', 'mend']);
  });

  test.each([0, 1, 3])(
    'after the last of %i is a rejection, never a silent pass',
    async (maxRevisions) => {
      const walked = walkOf({ mend: async (task) => redo('prove', { task: task + 1 }) });
      const state = await walk(walked, fresh(), { maxRevisions });
      expect(state.rejection?.code).toBe('revisions-exhausted');
      expect(walked.ran.filter((name) => name === 'mend')).toHaveLength(maxRevisions + 1);
    },
  );
});

test('a rejection ends the record for good, with its code', async () => {
  const ledger = fresh();
  const refusing = walkOf({ prove: async () => reject('flaky', 'It wobbles.', ['t']) });
  await walk(refusing, ledger);
  const state = await walk(refusing, ledger);
  expect(state.rejection).toEqual({ code: 'flaky', detail: 'It wobbles.', evidence: ['t'] });
  expect(refusing.ran).toEqual(['write', 'prove']);
});

test('an excluded record is left alone', async () => {
  const [walked, ledger] = [walkOf(), fresh()];
  ledger.note({ kind: 'record-excluded', record: 'r', key: 'r', body: { reason: 'by hand' } });
  expect(await walk(walked, ledger)).toMatchObject({ excluded: 'by hand' });
  expect(walked.ran).toEqual([]);
});

test.each([
  ['a bug', new TypeError('x is not a function'), 'not a function'],
  ['an abort', new DOMException('stopped', 'AbortError'), 'stopped'],
])('%s travels on and is noted as nothing', async (_, error, message) => {
  const ledger = fresh();
  await expect(walk(walkOf({ prove: () => Promise.reject(error) }), ledger)).rejects.toThrow(
    message,
  );
  expect(ledger.lines.map(({ kind }) => kind)).toEqual(['record-opened', 'stage-ended']);
});

test('a stage that gives what it did not declare is a bug of that stage', async () => {
  const prove = async () => done({ proof: 1, more: 2 });
  await expect(walk(walkOf({ prove }), fresh())).rejects.toThrow('more');
});

test('a run that is called off starts no further stage', async () => {
  const off = new AbortController();
  const prove = async () => {
    off.abort();
    return done({ proof: 1 });
  };
  const [walked, ledger] = [walkOf({ prove }), fresh()];
  await expect(
    walk(walked, ledger, { context: { ...context, signal: off.signal } }),
  ).rejects.toThrow();
  expect(walked.ran).toEqual(['write', 'prove']);
  expect(await walk(walked, ledger)).toMatchObject({ next: null });
});

test('killed after any line and taken up again, a walk comes to the same end', async () => {
  const mend = async (task: number) => (task < 9 ? redo('prove', { task: task + 1 }) : done({}));
  const ledger = fresh();
  const whole = await walk(walkOf({ mend }), ledger);
  for (let kept = 1; kept <= ledger.lines.length; kept++) {
    const again = memoryEvents(ledger.lines.slice(0, kept) as LedgerEvent[]);
    expect(await walk(walkOf({ mend }), again)).toEqual(whole);
    expect(again.lines).toEqual(ledger.lines);
  }
});
