/** Version of the rules below; a record names it, since raw and normalised logs can only be compared by rules that are known. */
export const NORMALISER = 1;

const rules: readonly (readonly [RegExp, string])[] = [
  [/\r\n/g, '\n'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
  [/\u001b\[[0-9;]*[A-Za-z]/g, ''],
  [/\b0x[0-9a-f]{6,}\b/gi, '0x'],
  [/\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|sec|secs|seconds)\b/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<date>'],
  [/[ \t]+$/gm, ''],
];

/** A build's output without what differs from run to run: places of the box, times, addresses, colours. */
export function normalised(log: string, places: Readonly<Record<string, string>>): string {
  const placed = Object.entries(places).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    log,
  );
  return rules.reduce((text, [pattern, to]) => text.replace(pattern, to), placed);
}
