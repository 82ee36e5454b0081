import type { Clock } from '../stages/context.ts';

/** Where people read; the standard error of the process, or a test's own. */
export type Screen = {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
};

/** What a long verb tells about itself. Nothing here waits or throws. */
export type Progress = {
  /** A count that moves: rewritten in place on a terminal, a line now and then elsewhere. */
  step(label: string, done: number, total?: number): void;
  /** A line that stays. */
  line(text: string): void;
  /** Clear the rewritten line. */
  end(): void;
};

const REWRITE_MS = 100;
const PLAIN_MS = 5000;
const CLEAR = '\r\u001b[2K';

const counted = (label: string, done: number, total: number | undefined) =>
  total === undefined ? `${label} ${done}` : `${label} ${done}/${total}`;

/** Progress on a terminal, plain lines elsewhere, nothing when quiet. Counts are shown at most ten times a second. */
export function createProgress(
  screen: Screen,
  clock: Pick<Clock, 'now'>,
  isQuiet = false,
): Progress {
  if (isQuiet) return { step: () => undefined, line: () => undefined, end: () => undefined };
  return screen.isTTY === true ? onTerminal(screen, clock) : inLines(screen, clock);
}

function onTerminal(screen: Screen, clock: Pick<Clock, 'now'>): Progress {
  let shown = '';
  let at = Number.NEGATIVE_INFINITY;
  const end = () => {
    if (shown !== '') screen.write(CLEAR);
    shown = '';
  };
  return {
    step(label, done, total) {
      const now = clock.now();
      if (now - at < REWRITE_MS && done !== total) return;
      at = now;
      shown = counted(label, done, total).slice(0, (screen.columns ?? 80) - 1);
      screen.write(`${CLEAR}${shown}`);
    },
    line(text) {
      const kept = shown;
      end();
      screen.write(`${text}\n${kept}`);
      shown = kept;
    },
    end,
  };
}

function inLines(screen: Screen, clock: Pick<Clock, 'now'>): Progress {
  let current = '';
  let at = Number.NEGATIVE_INFINITY;
  return {
    step(label, done, total) {
      const now = clock.now();
      const isNews = label !== current || done === total || now - at >= PLAIN_MS;
      if (!isNews) return;
      current = label;
      at = now;
      screen.write(`${counted(label, done, total)}\n`);
    },
    line: (text) => {
      screen.write(`${text}\n`);
    },
    end: () => undefined,
  };
}
