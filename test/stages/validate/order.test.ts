import { expect, test } from 'vitest';
import type { TestStatus } from '../../../schemas/test-report.ts';
import type { Play } from '../../support/context.ts';
import { holds, ids, limiter, playLimiter } from '../../support/limiter.ts';
import { refusalOf } from '../../support/validated.ts';
import { onBench } from '../../support/woven.ts';

type Faults = Readonly<Record<string, boolean>>;

type Wrong = (isGold: boolean, repeat: number) => TestStatus | null;

/** What each fault makes of the target tests; where several speak, the first gate's fault is heard. */
const wrongs: readonly (readonly [string, Wrong])[] = [
  ['noop', () => 'passed'],
  ['blocked', (isGold) => (isGold ? null : 'error')],
  ['flaky', (isGold, repeat) => (isGold && repeat === 1 ? 'failed' : null)],
];

/** A runner with every fault that is still switched on. */
const playWith =
  (faults: Faults): Play =>
  (read, request) => {
    const { tests } = playLimiter(read, request);
    const isGold = holds(read, 'joint = 12');
    if (faults.suite && request.overlay.length === 0) return { tests: {}, status: 'crashed' };
    const heard = wrongs
      .filter(([name]) => faults[name])
      .flatMap(([, wrong]) => wrong(isGold, request.repeat) ?? []);
    const played = Object.fromEntries(
      [ids.one, ids.two, ids.both].flatMap((id) => (heard[0] ? [[id, heard[0]]] : [])),
    );
    const broken = faults.gold && isGold && !faults.noop ? { [ids.both]: 'failed' as const } : {};
    return { tests: { ...tests, ...played, ...broken } };
  };

const gates = [
  ['suite', 'env-build-failed'],
  ['noop', 'noop-passes'],
  ['blocked', 'noop-blocked-only'],
  ['gold', 'gold-fails'],
  ['flaky', 'flaky'],
  ['level', 'not-coupled'],
  ['trace', 'untraceable'],
  ['contract', 'contract-unfit'],
] as const;

/** A task with everything wrong from a gate on. */
async function refusedFrom(first: number): Promise<string | null> {
  const faults: Faults = Object.fromEntries(gates.map(([name], at) => [name, at >= first]));
  const traces = [
    { test: ids.one, clauses: ['R1.a'] },
    { test: ids.two, clauses: ['R2.a'] },
  ];
  const cloth = faults.trace ? { ...limiter, traces } : limiter;
  const settings = { level: faults.level ? 4 : 3 };
  const woven = await onBench(cloth, playWith(faults), { settings });
  const contract = { ...woven.task.contract, editable: [], create: [] };
  const task = faults.contract ? { ...woven.task, contract } : woven.task;
  return (await refusalOf({ ...woven, task }))?.code ?? null;
}

test.each(gates.map(([name, code], at) => [at, name, code] as const))(
  'gate %i, %s, refuses before any later one as %s',
  async (at, _, code) => {
    expect(await refusedFrom(at)).toBe(code);
  },
);

test('with nothing wrong no gate refuses', async () => {
  expect(await refusedFrom(gates.length)).toBeNull();
});
