import type { FaultCode } from '../schemas/fault-code.ts';

type Reason = {
  readonly code: FaultCode;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
};

/** The world failed. Thrown at the boundary that broke, caught once, in run-task.ts. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  /** Decided where the reason is known; the retry loop reads nothing else. */
  readonly retryable: boolean;
  /** How long the other side asked to be left alone; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { code, retryable = false, retryAfterMs = null, cause }: Reason) {
    super(message, { cause });
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Name the boundary that `work` crosses. Faults and aborts pass through untouched. */
export async function boundary<T>(
  code: FaultCode,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof Fault) throw cause;
    if (cause.name === 'AbortError') throw cause;
    throw new Fault(`${what} failed: ${cause.message}`, { code, cause });
  }
}
