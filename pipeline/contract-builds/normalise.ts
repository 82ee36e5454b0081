import { dirname } from 'node:path/posix';
import type { Box } from '../../stages/context.ts';

/** Version of the rules below; a record names it, since raw and normalised logs can only be compared by rules that are known. */
export const NORMALISER = 2;

const rules: readonly (readonly [RegExp, string])[] = [
  [/\r\n/g, '\n'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
  [/\u001b\[[0-9;]*[A-Za-z]/g, ''],
  [/\b0x[0-9a-f]{6,}\b/gi, '0x'],
  [/\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|sec|secs|seconds)\b/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<date>'],
  [/[ \t]+$/gm, ''],
];

/** The box's folders, the longer paths first. Where all lie in one folder of the host, that one goes too: its name is new each time. */
function placesOf({ workdir, outside, deps }: Pick<Box, 'workdir' | 'outside' | 'deps'>) {
  const own = dirname(workdir);
  const isShared = own !== '/' && own === dirname(outside);
  const places: (readonly [string, string])[] = [
    [workdir, '<tree>'],
    [outside, '<outside>'],
    [deps, '<deps>'],
  ];
  const named = places.filter(([place]) => place !== '');
  return isShared ? [...named, [own, '<box>'] as const] : named;
}

/** A build's output without what differs from run to run: places of the box, times, addresses, colours. */
export function normalised(log: string, box: Pick<Box, 'workdir' | 'outside' | 'deps'>): string {
  const placed = placesOf(box).reduce((text, [from, to]) => text.replaceAll(from, to), log);
  return rules.reduce((text, [pattern, to]) => text.replace(pattern, to), placed);
}
