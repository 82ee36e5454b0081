import { APIConnectionError, type APIError } from 'openai';
import { Fault } from '../../../stages/fault.ts';

type Asked = {
  readonly name: string;
  readonly endpoint: string;
  readonly now: number;
  /** Takes the key out of a text; some servers print it back. */
  readonly redact: (text: string) => string;
};

const passing = new Set([408, 409, 425, 429]);

/** Whether an account is out of money: waiting does not help, and status 429 alone does not tell. */
function isQuota({ status, code, type, message }: APIError): boolean {
  if (status === 402) return true;
  const spent = /^(insufficient_quota|billing_hard_limit_reached|insufficient_balance)$/;
  if (spent.test(String(code)) || spent.test(String(type))) return true;
  return /insufficient[ _](quota|balance|credits?)/i.test(message);
}

/** `Retry-After` in milliseconds: both spellings, seconds or a date. */
function retryAfterMs(headers: Headers | undefined, now: number): number | null {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const value = headers?.get('retry-after')?.trim();
  if (!value) return null;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

function adviceFor(status: number | undefined): string {
  if (status === 401 || status === 403) return 'Check the key that "api_key_env" names.';
  if (status === 404) return 'Check "base_url" and "model".';
  if (status === undefined) return 'Check that the server at "base_url" is up.';
  if (status === 429 || status >= 500) return 'Run the same command again later to go on.';
  return 'Check "model", "structured" and the parameters of this model.';
}

/** Name what an endpoint did instead of answering. The SDK's own error is not kept: it may hold the key. */
export function faultOf(error: APIError, asked: Asked): Fault {
  const said = asked.redact(error.message).replaceAll(/\s+/g, ' ').slice(0, 300);
  const cause = new Error(said);
  const subject = `Model "${asked.name}" at ${asked.endpoint} failed: ${said}.`;
  if (isQuota(error)) {
    const advice = 'The quota is used up; raise it, or map the role to another model.';
    return new Fault(`${subject} ${advice}`, { code: 'quota-exhausted', cause });
  }
  const { status } = error;
  const isPassing = status === undefined || status >= 500 || passing.has(status);
  return new Fault(`${subject} ${adviceFor(status)}`, {
    code: 'model-unavailable',
    retryable: isPassing && status !== 501,
    retryAfterMs: retryAfterMs(error.headers, asked.now),
    cause,
  });
}

/** The words of a connection error lie in its cause. */
export function spelledOut(error: APIError): APIError {
  if (!(error instanceof APIConnectionError) || !(error.cause instanceof Error)) return error;
  const inner = error.cause.cause instanceof Error ? error.cause.cause : error.cause;
  return new APIConnectionError({ message: `${error.message} ${inner.message}`, cause: inner });
}
