import type { Runner } from '../../schemas/environment.ts';
import { nodeFlags, type Package } from './package-json.ts';
import { someText, type TreeFile } from './recipe.ts';

/** The runners of JavaScript, in the order in which a script or a list of packages is asked for them. */
export const NODE_RUNNERS = ['vitest', 'jest', 'mocha', 'ava'] as const satisfies Runner[];

const NODE_TEST = /['"]node:test['"]/;

/** The runner of a tree: what its test script names, else what its tests import, else what it depends on. */
export function nodeRunner(
  { testScript, packages }: Package,
  tests: readonly TreeFile[],
): Runner | null {
  const named = NODE_RUNNERS.find((name) => new RegExp(`\\b${name}\\b`).test(testScript));
  if (named !== undefined) return named;
  if (/--test\b/.test(testScript) || someText(tests, NODE_TEST)) return 'node-test';
  return NODE_RUNNERS.find((name) => packages.includes(name)) ?? null;
}

/** Options of a runner that decide how tests are loaded and run, each with the number of words that follow it. */
const KEPT: Readonly<Partial<Record<Runner, Readonly<Record<string, number>>>>> = {
  vitest: { '--config': 1, '-c': 1, '--root': 1, '--environment': 1, '--project': 1 },
  jest: { '--config': 1, '-c': 1, '--env': 1, '--preset': 1, '--selectProjects': 1 },
  mocha: {
    ...{ '--require': 1, '-r': 1, '--import': 1, '--ui': 1, '-u': 1, '--file': 1, '--config': 1 },
    ...{ '--timeout': 1, '-t': 1, '--extension': 1, '--exit': 0, '--no-config': 0 },
  },
  ava: { '--config': 1, '--timeout': 1, '--serial': 0 },
};

function keptOptions(words: readonly string[], kept: Readonly<Record<string, number>>): string[] {
  return words.flatMap((word, at) => {
    const [name = '', value] = word.split('=');
    const following = kept[name];
    if (following === undefined) return [];
    return value === undefined ? [word, ...words.slice(at + 1, at + 1 + following)] : [word];
  });
}

/** Arguments for the runner from the tree's own test script. */
export function runnerArgs(runner: Runner, script: string): string[] {
  if (runner === 'node-test') return nodeFlags(script);
  const [, after = ''] = new RegExp(`\\b${runner}\\b([^&;|]*)`).exec(script) ?? [];
  const words = after.split(/\s+/).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
  return keptOptions(words, KEPT[runner] ?? {});
}

const VM_MODULES = '--experimental-vm-modules';

/** Flags of Node that reach a runner's own processes only by the environment. */
export const runnerEnv = (runner: Runner, script: string): Record<string, string> =>
  runner !== 'node-test' && script.includes(VM_MODULES) ? { NODE_OPTIONS: VM_MODULES } : {};
