/** The whole lines of a stream. `isCut`: the last one has no end, so nobody knows what else it would have said. */
export function wholeLines(text: string): {
  readonly lines: readonly string[];
  readonly isCut: boolean;
} {
  const lines = text.split(/\r?\n/);
  const rest = lines.pop();
  return { lines, isCut: rest !== undefined && rest !== '' };
}
