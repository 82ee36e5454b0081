import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldRecord } from '../../../pipeline/ledger/fold.ts';
import type { LedgerEvent } from '../../../schemas/event.ts';
import type { Facts } from '../../../stages/stage.ts';

const stages = [
  { name: 'draft', needs: ['seeds'], gives: ['task', 'kept'] },
  { name: 'validate', needs: ['task'], gives: ['instance'] },
  { name: 'solve', needs: ['instance'], gives: ['rollouts'] },
  { name: 'repair', needs: ['rollouts'], gives: ['task', 'kept'] },
];

const event = (kind: LedgerEvent['kind'], key: string, body: unknown): LedgerEvent => ({
  kind,
  record: 'r',
  key,
  body,
});
const end = (stage: string, ordinal: number, rest: object) =>
  event('stage-ended', `r:${ordinal}`, {
    stage,
    ordinal,
    revision: 0,
    ending: 'done',
    facts: {},
    ...rest,
  });
const opened = event('record-opened', 'r', { facts: { seeds: [1] } });

test('a record that was only opened waits for the first stage', () => {
  expect(foldRecord([opened], stages)).toEqual({
    facts: { seeds: [1] },
    next: 'draft',
    revision: 0,
    ordinal: 0,
    rejection: null,
    fault: null,
    excluded: null,
  });
});

test('redo drops what only later stages gave and counts a revision', () => {
  const state = foldRecord(
    [
      opened,
      end('draft', 0, { facts: { task: 'old', kept: 1 } }),
      end('validate', 1, { facts: { instance: 'old' } }),
      end('solve', 2, { facts: { rollouts: 'old' } }),
      end('repair', 3, { ending: 'redo', from: 'validate', facts: { task: 'new' } }),
    ],
    stages,
  );
  expect(state).toMatchObject({ next: 'validate', revision: 1, ordinal: 4 });
  expect(state.facts).toEqual({ seeds: [1], task: 'new', kept: 1 });
});

test('a fault stays until a stage has ended after it', () => {
  const fault = { stage: 'validate', code: 'sandbox-lost', message: 'gone' };
  const events = [
    opened,
    end('draft', 0, { facts: { task: 't' } }),
    event('record-faulted', 'f', fault),
  ];
  expect(foldRecord(events, stages)).toMatchObject({ fault, next: 'validate' });
  expect(foldRecord([...events, end('validate', 1, {})], stages)).toMatchObject({ fault: null });
});

test('a rejection and an exclusion end the walk and keep the facts', () => {
  const rejection = { code: 'flaky', detail: 'once', evidence: [] };
  const events = [
    opened,
    end('draft', 0, { ending: 'rejected', rejection }),
    event('record-excluded', 'x', { reason: 'by hand' }),
  ];
  expect(foldRecord(events, stages)).toMatchObject({
    facts: { seeds: [1] },
    next: null,
    rejection,
    excluded: 'by hand',
  });
});

test.each([
  ['a body of another shape', event('stage-ended', 'k', { stage: 'draft' })],
  ['a stage that is none', end('nowhere', 0, {})],
])('%s is not folded', (_case, bad) => {
  expect(() => foldRecord([opened, bad], stages)).toThrow();
});

const step = fc.record({
  ending: fc.constantFrom('done' as const, 'done' as const, 'redo' as const),
  target: fc.nat(3),
  value: fc.integer(),
});

/** A runner as run-task.ts is one: it holds the record in its hands and notes each ending. */
function* walked(steps: readonly { ending: 'done' | 'redo'; target: number; value: number }[]) {
  let facts: Facts = { seeds: [1] };
  let at = 0;
  let revision = 0;
  yield { event: opened, facts, at, revision };
  for (const [ordinal, { ending, target, value }] of steps.entries()) {
    const stage = stages[at];
    if (stage === undefined) return;
    const from = stages[Math.min(target, at)]?.name ?? '';
    const given = Object.fromEntries(stage.gives.map((name) => [name, value]));
    const line = end(stage.name, ordinal, {
      revision,
      facts: given,
      ...(ending === 'redo' ? { ending, from } : {}),
    });
    if (ending === 'done') {
      facts = { ...facts, ...given };
      at += 1;
    } else {
      at = Math.min(target, at);
      const earlier = new Set(['seeds', ...stages.slice(0, at).flatMap(({ gives }) => gives)]);
      facts = {
        ...Object.fromEntries(Object.entries(facts).filter(([name]) => earlier.has(name))),
        ...given,
      };
      revision += 1;
    }
    yield { event: line, facts, at, revision };
  }
}

test('the fold of every prefix equals the record that the runner held', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const events: LedgerEvent[] = [];
      for (const held of walked(steps)) {
        events.push(held.event);
        const { facts, next, revision } = foldRecord(events, stages);
        expect({ facts, next, revision }).toEqual({
          facts: held.facts,
          next: stages[held.at]?.name ?? null,
          revision: held.revision,
        });
      }
    }),
  );
});
