import { expect, test } from 'vitest';
import { withControls } from '../../../pipeline/runs/with-controls.ts';
import { withRetries } from '../../../pipeline/runs/with-retries.ts';
import type { TestStatus } from '../../../schemas/test-report.ts';
import type { RunStatus, TestRunRequest } from '../../../schemas/test-run.ts';
import type { TestRuns } from '../../../stages/context.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { Fault } from '../../../stages/fault.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { requestFor, resultFor, specFor } from '../../support/test-run.ts';

const signal = new AbortController().signal;
const onBase = requestFor(specFor('node-test'), { tree: sha256('base') });
const onCandidate = requestFor(specFor('node-test'), { tree: sha256('candidate') });
const control = { request: onBase, id: 'a > guards' };
type Said = readonly [RunStatus, TestStatus];

/** Runs that say what they are told to, control and candidate each in order; the last word stands. */
function scripted(controls: readonly Said[], candidates: readonly Said[]) {
  const asked: string[] = [];
  const left = { base: [...controls], candidate: [...candidates] };
  const run = async ({ tree }: TestRunRequest) => {
    const who = tree === onBase.tree ? 'base' : 'candidate';
    asked.push(who);
    const said = left[who].length > 1 ? left[who].shift() : left[who][0];
    const [status, of] = said ?? ['no-report', 'absent'];
    return { key: sha256(who), result: resultFor(status, { 'a > guards': of }) };
  };
  const prepare = () => Promise.reject(new Error('nothing to prepare here'));
  return { asked, runs: withControls({ prepare, run }) };
}

const good: Said = ['completed', 'passed'];
const failing: Said = ['completed', 'failed'];

test('a control runs once in a process, however many candidates follow', async () => {
  const { asked, runs } = scripted([good], [good]);
  await Promise.all([1, 2].map(() => runs.run(onCandidate, signal, { control })));
  await runs.run(onCandidate, signal, { control });
  expect(asked).toEqual(['base', 'candidate', 'candidate', 'candidate']);
});

test('a run that names no control is made at once', async () => {
  const { asked, runs } = scripted([failing], [good]);
  await runs.run(onCandidate, signal);
  expect(asked).toEqual(['candidate']);
});

test.each<[string, Said]>([
  ['fails', failing],
  ['is not reported', ['no-report', 'absent']],
  ['cannot be read', ['unreadable', 'absent']],
])(
  'a control that %s three times makes the candidate ungradable, never failed',
  async (_, said) => {
    const { asked, runs } = scripted([said], [good]);
    const ending = runs.run(onCandidate, signal, { control });
    await expect(ending).rejects.toMatchObject({ name: 'Fault', code: 'run-ungradable' });
    expect(asked).toEqual(['base', 'base', 'base']);
  },
);

test('a control that holds at its third run lets the candidate be judged', async () => {
  const { asked, runs } = scripted([failing, failing, good], [failing]);
  const { result } = await runs.run(onCandidate, signal, { control });
  expect(result.status).toBe('completed');
  expect(asked).toEqual(['base', 'base', 'base', 'candidate']);
});

test('a failed control is forgotten, so that the next candidate asks anew', async () => {
  const { runs } = scripted([failing, failing, failing, good], [good]);
  await expect(runs.run(onCandidate, signal, { control })).rejects.toThrow('Control failed');
  await expect(runs.run(onCandidate, signal, { control })).resolves.toBeDefined();
});

test('a crash is the candidate’s own where the control still holds after it', async () => {
  const { asked, runs } = scripted([good], [['crashed', 'absent']]);
  const { result } = await runs.run(onCandidate, signal, { control });
  expect(result.status).toBe('crashed');
  expect(asked).toEqual(['base', 'candidate', 'base']);
});

test('a crash beside a control that no longer holds is nobody’s failure', async () => {
  const { runs } = scripted([good, failing], [['timed-out', 'absent']]);
  const ending = runs.run(onCandidate, signal, { control });
  await expect(ending).rejects.toMatchObject({ code: 'run-ungradable' });
});

/** Runs that fault a number of times and then answer. */
function faulty(fault: Fault, times: number) {
  let count = 0;
  const run: TestRuns['run'] = async () => {
    count += 1;
    if (count <= times) throw fault;
    return { key: sha256('k'), result: resultFor('completed', {}) };
  };
  const prepare = () => Promise.reject(new Error('nothing to prepare here'));
  return { runs: withRetries({ prepare, run }, fakeClock()), count: () => count };
}
const lost = (retryable: boolean) => new Fault('box lost.', { code: 'sandbox-lost', retryable });

test('trouble that may pass is tried twice more, and no result is lost to it', async () => {
  const { runs, count } = faulty(lost(true), 2);
  await expect(runs.run(onCandidate, signal)).resolves.toMatchObject({ key: sha256('k') });
  expect(count()).toBe(3);
});

test('trouble that stays is told after the third time, with its own code', async () => {
  const { runs, count } = faulty(lost(true), 9);
  const told = { code: 'sandbox-lost', message: 'box lost. Tried 3 times.' };
  await expect(runs.run(onCandidate, signal)).rejects.toMatchObject(told);
  expect(count()).toBe(3);
});

test('trouble that says it will not pass is tried once', async () => {
  const { runs, count } = faulty(lost(false), 9);
  await expect(runs.run(onCandidate, signal)).rejects.toThrow('box lost.');
  expect(count()).toBe(1);
});
