const NAMES: readonly RegExp[] = [
  /\b(?:it|test|describe|suite|specify)(?:\.\w+)*\(\s*(?<mark>['"`])(?<name>(?:(?!\k<mark>).)+)\k<mark>/g,
  /^\s*(?:async )?def (?<name>test\w*)/gm,
  /^\s*class (?<name>Test\w+|\w+Tests?)\b/gm,
];

/**
 * Names of tests that stand in some lines of test files, as far as they are unmistakable:
 * a one-word title like "pause" is a word that everybody uses.
 */
export function testNamesIn(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  const names = NAMES.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ groups }) => groups?.name ?? []),
  );
  return [...new Set(names)].filter(isUnmistakable).toSorted();
}

const isUnmistakable = (name: string): boolean =>
  name.length >= 8 && (/\s\S+/.test(name.trim()) || /_|[a-z][A-Z]/.test(name));
