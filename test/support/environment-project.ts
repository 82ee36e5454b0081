import { fileURLToPath } from 'node:url';
import { openTestRuns } from '../../pipeline/runs/open.ts';
import { sandboxes } from '../../pipeline/sandboxes/registry.ts';
import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { TestRunResult } from '../../schemas/test-run.ts';
import { isRunnable } from '../../stages/draft/test-files.ts';
import { detectEnvironment } from '../../stages/environments/detect.ts';
import { memoryLedger } from './memory-ledger.ts';
import { realClock } from './real-clock.ts';
import { tempFolder } from './temp-folder.ts';
import { filesBelow, keepTree } from './test-run.ts';

type Tree = Readonly<Record<string, string | Uint8Array>>;
type Where = 'process' | 'bwrap' | 'docker';

/** The files of a small project below test/fixtures/environments. */
export const projectTree = (name: string): Tree =>
  filesBelow(fileURLToPath(new URL(`../fixtures/environments/${name}`, import.meta.url)));

/** What the recipes find in a tree, which they must. */
export function detectedSpec(tree: Tree): EnvironmentSpec {
  const encoder = new TextEncoder();
  const files = Object.entries(tree).map(([path, text]) => ({
    path,
    read: () => (typeof text === 'string' ? encoder.encode(text) : text),
  }));
  const detection = detectEnvironment(files);
  if (!detection.found) throw new Error(detection.detail);
  return detection.spec;
}

/** Install a project as its recipe says and run its tests, as the pipeline does: installed with network, run without. */
export async function buildAndRun(
  tree: Tree,
  spec: EnvironmentSpec,
  where: Where,
  host: Readonly<Record<string, string>>,
): Promise<TestRunResult> {
  const signal = new AbortController().signal;
  const ledger = memoryLedger();
  const sandbox = sandboxes[where]({ run: 'environments', cache: tempFolder(), host });
  const runs = openTestRuns({ sandbox, ledger, clock: realClock });
  const name = keepTree(ledger, tree);
  const prepared = await runs.prepare(spec, name, signal);
  if (!prepared.ready) throw new Error(`${prepared.step}: ${prepared.tail}`);
  const files = Object.keys(tree).filter((path) => isRunnable(path, spec));
  const { environment } = prepared;
  const request = { environment, tree: name, overlay: [], files: files.toSorted(), repeat: 0 };
  return (await runs.run(request, signal)).result;
}
