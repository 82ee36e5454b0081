/** How a verb ends, as every script around it may rely on. */
export const exitCodes = {
  done: 0,
  /** Finished, but some record faulted, a goal was missed or a check found a difference. */
  incomplete: 1,
  usage: 2,
  bug: 70,
  /** A fault of the world in a verb that does one thing, or answers still missing from a mailbox. */
  waiting: 75,
  cancelled: 130,
} as const;
