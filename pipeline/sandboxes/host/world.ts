import { boundary, Fault } from '../../../stages/fault.ts';

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether a system call failed with one of these codes. */
export const failedWith = (error: unknown, ...codes: string[]): boolean =>
  codes.includes(codeOf(error));

/** Cross into the file system; a full disk is named as such, because its remedy is another. */
export async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  return await boundary('sandbox-failed', what, async () => {
    try {
      return await work();
    } catch (cause) {
      if (!failedWith(cause, 'ENOSPC', 'EDQUOT')) throw cause;
      const message = `${what} failed: no space left on the disk. Free some, or set TMPDIR and --out to a larger one.`;
      throw new Fault(message, { code: 'disk-full', cause });
    }
  });
}

/** The error of a command whose run was cancelled; it passes every boundary untouched. */
export const cancelled = (signal: AbortSignal): Error =>
  new DOMException('The command was cancelled.', { name: 'AbortError', cause: signal.reason });
