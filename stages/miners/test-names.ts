const SCRIPT_TITLE =
  /\b(?:it|test|specify)(?:\.\w+)*\(\s*(?<mark>['"`])(?<name>(?:(?!\k<mark>).)+)\k<mark>/g;
const PYTHON_NAME = /^\s*(?:async )?def (?<name>test\w*)/gm;

/**
 * Names of tests that stand in some lines of test files, as far as they are unmistakable: a title of three words,
 * a Python name of some length. "pause" is a word that everybody uses, and `describe('parseURL')` names what is tested.
 */
export function testNamesIn(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  const names = (pattern: RegExp): readonly string[] =>
    [...text.matchAll(pattern)].flatMap(({ groups }) => groups?.name?.trim() ?? []);
  const titles = names(SCRIPT_TITLE).filter((title) => title.split(/\s+/).length >= 3);
  const functions = names(PYTHON_NAME).filter((name) => name.length >= 8);
  return [...new Set([...titles, ...functions])].toSorted();
}
