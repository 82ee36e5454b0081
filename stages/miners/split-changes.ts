import type { FileChange } from '../../schemas/seed.ts';
import { anyGlob } from '../contract/globs.ts';

/** Globs of an environment spec: what tests, and what counts as source. */
export type LanguageRules = {
  readonly testFiles: readonly string[];
  readonly sourceFiles: readonly string[];
};

export type SplitChanges = {
  readonly source: FileChange[];
  readonly tests: FileChange[];
  readonly other: FileChange[];
};

/** Sort changes by path rules. A file that tests is no source; submodules and links are neither. */
export function splitChanges(
  rules: LanguageRules,
): (changes: readonly FileChange[]) => SplitChanges {
  const isTest = anyGlob(rules.testFiles);
  const isSource = anyGlob(rules.sourceFiles);
  const kindOf = (change: FileChange): keyof SplitChanges => {
    if (!isPlainFile(change)) return 'other';
    if (isTest(change.path)) return 'tests';
    return isSource(change.path) ? 'source' : 'other';
  };
  return (changes) => {
    const split: SplitChanges = { source: [], tests: [], other: [] };
    for (const change of changes) split[kindOf(change)].push(change);
    return split;
  };
}

/** Neither a submodule nor a link, before and after. */
export const isPlainFile = ({ beforeMode, afterMode }: FileChange): boolean =>
  [beforeMode, afterMode].every((mode) => mode === null || mode.startsWith('100'));

const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyx|go|rs|rb|java|kt|kts|scala|c|cc|cpp|cxx|h|hh|hpp|cs|fs|swift|php|pl|lua|ex|exs|erl|hs|ml|clj|dart|zig|v|thy|lean|sh|sql|vue|svelte)$/i;

/** Whether a path is code in some language, ours or not. */
export const isCode = (path: string): boolean => CODE.test(path);
