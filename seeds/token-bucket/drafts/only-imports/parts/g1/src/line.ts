import type { SlidingWindow } from './window.ts';

/** A line of names in front of a window. */
export class WaitingLine {
  private readonly window: SlidingWindow;
  private readonly names: string[] = [];

  constructor(window: SlidingWindow) {
    this.window = window;
  }

  /** Puts a name at the end of the line. */
  join(name: string): void {
    this.names.push(name);
  }

  /** How many are waiting. */
  length(): number {
    return this.names.length;
  }
}
