import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import type { Runner } from '../../schemas/environment.ts';
import type { Asset, ExportAssets } from '../../stages/exporters/exporter.ts';
import { runnerArgv } from '../../stages/test-reports/argv.ts';
import { reporterFiles } from '../runs/reporter-files.ts';
import { supervisorBytes } from '../runs/run-suite.ts';

const graderFolder = new URL('./grader/', import.meta.url);
const kernelFolder = new URL('../../stages/contract/', import.meta.url);
const reportsFolder = new URL('../../stages/test-reports/', import.meta.url);

/** Where the checker starts; the rest is what it imports. */
const kernelEntry = 'conforms.ts';
/** The one schema it parses with; `tree-entry.mjs` stands in for it. */
const entrySchema = '/schemas/tree.ts';

/** Node says once a process that this is experimental; only that line is kept from stderr, which is ours. */
function stripped(source: string): string {
  const emit = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emit;
  }
}

const importPattern = /(from ')(\.[^']+)(')/g;

/** The target of a run-time import of the kernel. The grader has no packages, so anything outside the kernel is a mistake. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.endsWith(entrySchema)) return null;
  const target = posix.join(posix.dirname(file), specifier);
  if (!target.startsWith('../')) return target;
  throw new Error(`${file} imports ${specifier} at run time; the exported grader cannot carry it.`);
}

const upwards = (file: string) => '../'.repeat(file.split('/').length - 1) || './';

/**
 * The contract checker as plain modules: its own sources with the types blanked out, so that an exported grader and the pipeline
 * cannot disagree. Line numbers stay those of the sources.
 */
function readKernel(): Asset[] {
  const modules = new Map<string, string>();
  const waiting = [kernelEntry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (modules.has(file)) continue;
    const from: string = file;
    const source = stripped(readFileSync(new URL(from, kernelFolder), 'utf8'));
    const code = source.replace(
      importPattern,
      (_, head: string, specifier: string, tail: string) => {
        const target = targetOf(from, specifier);
        if (target === null) return `${head}${upwards(from)}tree-entry.mjs${tail}`;
        waiting.push(target);
        return `${head}${specifier.replace(/\.ts$/, '.mjs')}${tail}`;
      },
    );
    modules.set(from, code);
  }
  return [...modules].map(([file, code]) => ({
    path: `kernel/${file.replace(/\.ts$/, '.mjs')}`,
    bytes: new TextEncoder().encode(code),
  }));
}

/** Sentinels and frames of our own runs, so that both graders set and read the same ones. */
const readRunModules = (): Asset[] =>
  ['sentinel-checks', 'sentinel-code', 'sentinels', 'frame'].map((name) => {
    const code = stripped(readFileSync(new URL(`${name}.ts`, reportsFolder), 'utf8'));
    const linked = code.replace(/(from '\.\/[^']+)\.ts'/g, "$1.mjs'");
    return { path: `kernel/${name}.mjs`, bytes: new TextEncoder().encode(linked) };
  });

const readAsset = (folder: URL, path: string, name = path): Asset => ({
  path: name,
  bytes: new Uint8Array(readFileSync(new URL(path, folder))),
});

const reportersOf = (runner: Runner): Asset[] =>
  reporterFiles(runner).map(({ name, bytes }) => ({ path: name, bytes: new Uint8Array(bytes) }));

const everyReporter = (): Record<Runner, Asset[]> => ({
  'node-test': reportersOf('node-test'),
  vitest: reportersOf('vitest'),
  jest: reportersOf('jest'),
  mocha: reportersOf('mocha'),
  ava: reportersOf('ava'),
  unittest: reportersOf('unittest'),
  pytest: reportersOf('pytest'),
  'go-test': reportersOf('go-test'),
  'cargo-test': reportersOf('cargo-test'),
  'maven-surefire': reportersOf('maven-surefire'),
});

/** Everything an exporter needs from disk: grader, checker, reporters, and how a suite is started. */
export function readExportAssets(): ExportAssets {
  const names = readdirSync(graderFolder).toSorted();
  const grader = names.map((name) =>
    readAsset(graderFolder, name, name === 'tree-entry.mjs' ? 'kernel/tree-entry.mjs' : name),
  );
  const supervisor = { path: 'supervise.mjs', bytes: supervisorBytes() };
  return {
    grader: [...grader, ...readKernel(), ...readRunModules(), supervisor],
    reporters: everyReporter(),
    suiteArgv: runnerArgv,
  };
}
