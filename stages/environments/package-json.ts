import { z } from 'zod';

const names = z.record(z.string(), z.unknown()).catch({});
const PackageJson = z.object({
  scripts: names.default({}),
  dependencies: names.default({}),
  devDependencies: names.default({}),
  optionalDependencies: names.default({}),
  packageManager: z.string().nullable().catch(null).default(null),
  workspaces: z.unknown().optional(),
});

/** What a recipe asks of a package.json. Packages are sorted and unique. */
export type Package = {
  /** The test script, with the scripts that it runs by name put in their place. */
  readonly testScript: string;
  readonly packages: readonly string[];
  /** As `pnpm@9.1.0`, without a hash; null where it is not said. */
  readonly packageManager: string | null;
  readonly hasWorkspaces: boolean;
};

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
  return {
    testScript: expanded(scripts, 'test', NESTING),
    packages: Object.keys(all).toSorted(),
    packageManager: data.packageManager?.split('+')[0] ?? null,
    hasWorkspaces: data.workspaces !== undefined,
  };
}

/** Scripts that run each other come to an end somewhere. */
const NESTING = 4;
const BY_NAME = /\b(?:npm|pnpm|yarn)(?: run)?(?: -s| --silent)? ([\w:.-]+)/g;

function expanded(scripts: Readonly<Record<string, unknown>>, name: string, depth: number): string {
  const text = scripts[name];
  if (typeof text !== 'string') return '';
  if (depth === 0) return text;
  return text.replace(BY_NAME, (all, other: string) =>
    typeof scripts[other] === 'string' ? expanded(scripts, other, depth - 1) : all,
  );
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
