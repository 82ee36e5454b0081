import { BrokenFinish, type Completion } from '../../schemas/completion.ts';
import type { Clock, Model } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';

/** How long and how often one model is asked again. `patienceMs` bounds each single wait. */
export type Patience = {
  readonly name: string;
  readonly clock: Clock;
  readonly tries: number;
  readonly firstWaitMs: number;
  readonly patienceMs: number;
  readonly tell: (line: string) => void;
};

/** Stands before one provider; all calls to it pass here, so that what one was told holds for all. */
export type Gate = {
  /** Waits until the provider may be asked; throws `model-unavailable` where that takes longer than the patience. */
  pass(signal: AbortSignal): Promise<void>;
  closeFor(ms: number): void;
};

/** The gate of one model. */
export function openGate({ name, clock, patienceMs, tell }: Patience): Gate {
  let opensAt = 0;
  const paused = () => {
    const until = new Date(opensAt).toISOString();
    return `Model "${name}" is paused: its server asks to be left alone until ${until}, longer than the patience of ${patienceMs / 1000} s. Others go on; run the same command after that to go on here.`;
  };
  return {
    async pass(signal) {
      for (let left = opensAt - clock.now(); left > 0; left = opensAt - clock.now()) {
        if (left > patienceMs) throw new Fault(paused(), { code: 'model-unavailable' });
        await clock.sleep(left, signal);
      }
    },
    closeFor(ms) {
      opensAt = Math.max(opensAt, clock.now() + ms);
      if (ms > patienceMs) tell(paused());
    },
  };
}

async function attempt(work: () => Promise<Completion>, name: string): Promise<Completion | Fault> {
  try {
    const completion = await work();
    const isBroken = BrokenFinish.safeParse(completion.finish).success;
    return isBroken ? brokenOff(completion, name) : completion;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function brokenOff({ finish, text }: Completion, name: string): Fault {
  const head = text.trim().replaceAll(/\s+/g, ' ').slice(0, 120);
  const said = head === '' ? 'nothing' : `"${head}"`;
  return new Fault(
    `Model "${name}" failed: its answer ended as ${finish}, having said ${said}. The text is in the ledger; check the server, then run the same command again.`,
    { code: 'model-unreadable', retryable: true },
  );
}

/**
 * Asks again after a fault that says it may pass, and after an answer that the world broke, a bounded number of times.
 * Waits double from the first; what the other side asks for holds instead, and closes the gate for every caller.
 */
export function withRetry(model: Model, gate: Gate, patience: Patience): Model {
  const { name, clock, tries, firstWaitMs, patienceMs } = patience;
  const pause = async (fault: Fault, tried: number, signal: AbortSignal) => {
    if (fault.retryAfterMs !== null) return gate.closeFor(fault.retryAfterMs);
    await clock.sleep(Math.min(patienceMs, firstWaitMs * 2 ** (tried - 1)), signal);
  };
  return {
    async complete(request, signal) {
      for (let tried = 1; ; tried++) {
        await gate.pass(signal);
        const ended = await attempt(() => model.complete(request, signal), name);
        if (!(ended instanceof Fault)) return ended;
        if (!ended.retryable || tried >= tries) throw ended;
        await pause(ended, tried, signal);
      }
    },
  };
}
