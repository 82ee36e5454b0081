import type { Control, TestRuns } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { testRunKey } from '../../stages/test-reports/run-key.ts';
import { RETRIES } from './with-retries.ts';

type Ran = Awaited<ReturnType<TestRuns['run']>>;

const holds = ({ result }: Ran, { id }: Control): boolean =>
  result.report.results.some((one) => one.id === id && one.status === 'passed');

function ungradable({ result }: Ran, { id, request }: Control): Fault {
  const found = result.report.results.find((one) => one.id === id)?.status ?? 'absent';
  const why = result.tampered ?? `run ${result.status}, exit ${result.exitCode ?? 'none'}`;
  const message = `Control failed: "${id}" is ${found} on tree ${request.tree.slice(0, 12)} (${why}). Nobody can be graded here; run "pipeline doctor".`;
  return new Fault(message, { code: 'run-ungradable' });
}

/** Run a control until it holds, at most twice more; then it is told, and whoever asked has no grade. */
async function hold(runs: TestRuns, control: Control, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    const ran = await runs.run(control.request, signal);
    if (holds(ran, control)) return;
    if (tries > RETRIES) throw ungradable(ran, control);
  }
}

/**
 * Control first: before the first run that names it, a control must hold in this process, in a box of the same environment. It is
 * remembered by its request, whose key holds the environment's digest and the tree: boxes share no state, so one that held speaks
 * for those opened after it. A run that did not complete asks it again, for the world may have broken since.
 */
export function withControls(runs: TestRuns): TestRuns {
  const held = new Map<string, Promise<void>>();
  const first = async (control: Control, signal: AbortSignal) => {
    const key = testRunKey(control.request);
    const begun = held.get(key) ?? hold(runs, control, signal);
    held.set(key, begun);
    try {
      await begun;
    } catch (error) {
      if (held.get(key) === begun) held.delete(key);
      throw error;
    }
  };
  return {
    prepare: runs.prepare,
    async run(request, signal, options) {
      const control = options?.control;
      if (control === undefined) return await runs.run(request, signal, options);
      await first(control, signal);
      const ran = await runs.run(request, signal, options);
      if (ran.result.status !== 'completed') await hold(runs, control, signal);
      return ran;
    },
  };
}
