import { Fault } from '../stages/fault.ts';
import type { Command, Streams } from './arguments.ts';
import { choices } from './config/nearest.ts';
import { isUsageError, problemLine } from './config/usage-problem.ts';
import { exitCodes } from './exit-codes.ts';
import { verbsText } from './help-text.ts';

/** One registry line: what `--help` prints, and the verb itself, loaded late so that help stays fast. */
export type Verb = { readonly summary: string; readonly load: () => Promise<Command> };

type Verbs = Readonly<Record<string, Verb>>;

/** From a command line to an exit code. Never throws. */
export async function dispatch(
  argv: readonly string[],
  verbs: Verbs,
  streams: Streams,
): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    streams.stdout.write(verbsText(verbs));
    return exitCodes.done;
  }
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) {
    streams.stderr.write(`verb: expected ${choices(name, Object.keys(verbs))}, got "${name}"\n`);
    return exitCodes.usage;
  }
  try {
    const command = await verb.load();
    return await command.run(args, streams);
  } catch (error) {
    const end = endOf(error, streams.signal);
    streams.stderr.write(`${end.text}\n`);
    if (args.includes('--json')) streams.stdout.write(`${JSON.stringify({ error: end.error })}\n`);
    return end.code;
  }
}

type End = { readonly code: number; readonly text: string; readonly error: object };

function endOf(error: unknown, signal: AbortSignal): End {
  if (isUsageError(error)) {
    const text = error.problems.map(problemLine).join('\n');
    return { code: exitCodes.usage, text, error: { code: 'usage', problems: error.problems } };
  }
  if (signal.aborted && isAbort(error)) {
    return { code: exitCodes.cancelled, text: 'Cancelled.', error: { code: 'cancelled' } };
  }
  if (error instanceof Fault) {
    const { code, message } = error;
    return { code: exitCodes.waiting, text: message, error: { code, message } };
  }
  const bug = error instanceof Error ? error : new Error(String(error), { cause: error });
  return {
    code: exitCodes.bug,
    text: `This is a bug in CodeSpecWeave, please report it with these lines.\n${bug.stack}`,
    error: { code: 'bug', message: bug.message },
  };
}

/** An abort reaches us under its own name, or as the reason that the signal was given. */
const isAbort = (error: unknown) =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
