const GIB = 1024 ** 3;

/** What one box may use at most, wherever its sandbox can hold it to that. */
export const BOX_LIMITS = {
  processes: 512,
  memoryBytes: 4 * GIB,
  /** The largest file that a command may write. */
  fileBytes: 2 * GIB,
  cpus: 2,
} as const;
