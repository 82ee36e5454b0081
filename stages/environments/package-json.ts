import { z } from 'zod';

const names = z.record(z.string(), z.unknown()).catch({});
const PackageJson = z.object({
  scripts: names.default({}),
  dependencies: names.default({}),
  devDependencies: names.default({}),
  optionalDependencies: names.default({}),
});

/** What a recipe asks of a package.json. Packages are sorted and unique. */
export type Package = { readonly testScript: string; readonly packages: readonly string[] };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Read leniently, since it is the source's file; null where it is no JSON object. */
export function readPackage(text: string): Package | null {
  const { data } = PackageJson.safeParse(parsed(text));
  if (data === undefined) return null;
  const { scripts, dependencies, devDependencies, optionalDependencies } = data;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
  const testScript = typeof scripts.test === 'string' ? scripts.test : '';
  return { testScript, packages: Object.keys(all).toSorted() };
}

const WITH_VALUE = /^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C)$/;
const ALONE =
  /^(--import|--require|--loader|--experimental-[\w-]+|--conditions|--enable-source-maps)(=|$)/;

/** Flags of Node in a test script that decide how files are loaded: `node --import tsx --test`, `tsx --test`. */
export function nodeFlags(script: string): string[] {
  const words = script.split(/\s+/);
  const isTsx = words.includes('tsx') && !words.includes('node');
  return [...(isTsx ? ['--import', 'tsx'] : []), ...flagsIn(words)];
}

function flagsIn(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (WITH_VALUE.test(word)) return [word, words[at + 1] ?? ''];
    return ALONE.test(word) ? [word] : [];
  });
}
