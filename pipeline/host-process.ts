import { exitCodes } from './exit-codes.ts';

type Signals = { on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown };

const STOPPING =
  '\nStopping once what is under way has ended. The same command goes on from here; a second signal leaves at once.\n';

/** A signal that is aborted by the first Ctrl-C or SIGTERM; the second one leaves at once. */
export function stopOnSignals(
  source: Signals,
  say: (text: string) => void,
  leave: (code: number) => void,
): AbortSignal {
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) {
      leave(exitCodes.cancelled);
      return;
    }
    say(STOPPING);
    stop.abort();
  };
  source.on('SIGINT', onSignal);
  source.on('SIGTERM', onSignal);
  return stop.signal;
}

type Emit = typeof process.emitWarning;

/** Node 22 calls its SQLite experimental on stderr, which is ours; any other warning passes. */
export const withoutSqliteWarning = (emit: (...all: Parameters<Emit>) => void): Emit =>
  ((...all: Parameters<Emit>) => {
    const [warning] = all;
    const text = warning instanceof Error ? warning.message : warning;
    if (!text.startsWith('SQLite is an experimental feature')) emit(...all);
  }) as Emit;
