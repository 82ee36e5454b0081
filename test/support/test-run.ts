import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EnvironmentSpec, type Runner } from '../../schemas/environment.ts';
import type { TestStatus } from '../../schemas/test-report.ts';
import type { RunStatus, TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';
import type { Ledger } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { manifestText } from '../../stages/contract/manifest.ts';

/** Keep a tree given as texts by path; returns its name. */
export function keepTree(
  ledger: Ledger,
  files: Readonly<Record<string, string | Uint8Array>>,
): string {
  const entries = Object.entries(files).map(([path, content]) => {
    const bytes = Buffer.from(content);
    return { path, kind: 'file' as const, size: bytes.length, sha256: ledger.put(bytes) };
  });
  return ledger.put(manifestText(entries));
}

/** Every file below a folder, by its path in it. */
export function filesBelow(folder: string): Record<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

/** A spec for one runner; a test names only what it is about. */
export function specFor(runner: Runner, parts: Partial<EnvironmentSpec> = {}): EnvironmentSpec {
  const isPython = runner === 'unittest' || runner === 'pytest';
  return EnvironmentSpec.parse({
    environment: 1,
    language: isPython ? 'python' : 'typescript',
    runner,
    testFiles: ['{test,tests}/**'],
    sourceFiles: ['src/**'],
    ...parts,
  });
}

/** A request in an environment that nobody prepared: for keys and for sandboxes that are scripted. */
export const requestFor = (
  spec: EnvironmentSpec,
  parts: Partial<TestRunRequest> = {},
): TestRunRequest => ({
  environment: { spec, sandbox: 'process', digest: sha256('environment'), tools: [], handle: '' },
  tree: sha256('tree'),
  overlay: [],
  files: ['test/a.test.ts'],
  repeat: 0,
  ...parts,
});

/** What a run says that nobody made: one result per id, all in one file. */
export const resultFor = (
  status: RunStatus,
  statuses: Readonly<Record<string, TestStatus>>,
): TestRunResult => ({
  status,
  exitCode: 0,
  signal: null,
  reportBlob: null,
  stdoutBlob: sha256(''),
  stderrBlob: sha256(''),
  droppedBytes: 0,
  durationMs: 1,
  drift: [],
  report: {
    runner: 'node-test',
    complete: status === 'completed',
    results: Object.entries(statuses).map(([id, of]) => ({
      id,
      file: 'test/a.test.ts',
      line: null,
      status: of,
      message: null,
    })),
  },
});
