import type { Contract } from '../../schemas/contract.ts';
import type { Environment } from '../../schemas/environment.ts';
import type { Box, ExecOptions, Exit, Sandbox } from '../../stages/context.ts';
import { parseManifest } from '../../stages/contract/manifest.ts';
import type { Left, Shell } from '../../stages/controller/ports.ts';
import { layTree } from '../contract-builds/laid-tree.ts';
import { type Blobs, collect } from './collect.ts';
import { freshHistory } from './history.ts';
import { solverPlaces } from './places.ts';

const MAX_OUTPUT_BYTES = 256 * 1024;

/** One solver's turn at a base. `absent`: object names, such as the gold commit's, that the copy's history is asked for. */
type SolverStep = {
  readonly environment: Environment;
  readonly contract: Contract;
  /** A manifest's digest. */
  readonly base: string;
  readonly absent: readonly string[];
  /** Called once with what was left, before the box goes. */
  readonly keep: (left: Left) => void;
};

type Parts = { readonly sandbox: Sandbox; readonly blobs: Blobs };

const said = ({ stdout, stderr, code, signal, timedOut }: Exit) => {
  const end = timedOut ? '[out of time]' : `[exit ${code ?? signal}]`;
  return `${Buffer.from(stdout).toString('utf8')}${Buffer.from(stderr).toString('utf8')}${end}`;
};

/** The view of every command: protected places read-only, the repository's own folder writable. */
function viewOf({ contract, base }: SolverStep, blobs: Blobs): Pick<ExecOptions, 'readOnly'> {
  const places = solverPlaces(contract, parseManifest(blobs.get(base)));
  if (places === null) return {};
  const { writable, closed } = places;
  const own = writable.includes('.') ? [] : ['.git'];
  return { readOnly: { writable: [...writable, ...own], closed } };
}

async function furnish(box: Box, step: SolverStep, blobs: Blobs, signal: AbortSignal) {
  const files = parseManifest(blobs.get(step.base)).filter(
    ({ kind }) => kind !== 'dir' && kind !== 'gitlink',
  );
  await layTree(box, { laid: new Map(files.map((entry) => [entry.path, entry])) }, blobs, signal);
  await freshHistory(box, step.absent, signal);
}

/** Work, then what it left, whether it returns, throws or is cancelled. The work's own error is the one that is told. */
async function thenCollect<T>(
  work: () => Promise<T>,
  collected: () => Promise<Left>,
  keep: (left: Left) => void,
): Promise<T> {
  const [ended] = await Promise.allSettled([Promise.resolve().then(work)]);
  const [left] = await Promise.allSettled([collected()]);
  if (left.status === 'fulfilled') keep(left.value);
  if (ended.status === 'rejected') throw ended.reason;
  if (left.status === 'rejected') throw left.reason;
  return ended.value;
}

/**
 * Lend a shell in a fresh box: the base as one commit that is proven to be all of its history, protected places read-only where the
 * sandbox can hold them, no network, nothing of gold or hidden tests. The tree is collected before the box goes on every path out;
 * a cancel ends the work and its command, and the box only after that. Throws Faults and what `work` throws. Source: grading.md 3.
 */
export async function useSolverBox<T>(
  step: SolverStep,
  { sandbox, blobs }: Parts,
  signal: AbortSignal,
  work: (shell: Shell) => Promise<T>,
): Promise<T> {
  // The box outlives a cancel for as long as it takes to read what was left.
  const lease = new AbortController();
  const cancel = () => lease.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  const view = viewOf(step, blobs);
  try {
    return await sandbox.use(step.environment, lease.signal, async (box) => {
      await furnish(box, step, blobs, signal);
      signal.removeEventListener('abort', cancel);
      const shell: Shell = {
        run: async (command, timeoutMs) => {
          const limits = { timeoutMs: Math.max(1, timeoutMs), maxOutputBytes: MAX_OUTPUT_BYTES };
          return said(await box.exec(['/bin/sh', '-c', command], { ...limits, ...view }, signal));
        },
      };
      const collected = () => collect(box, step.contract, step.base, blobs, lease.signal);
      return await thenCollect(() => work(shell), collected, step.keep);
    });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
