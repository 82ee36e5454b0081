import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { openBuilder } from '../../pipeline/contract-builds/open.ts';
import { variable } from '../../pipeline/env.ts';
import { chooseSandbox } from '../../pipeline/sandboxes/choose.ts';
import type { Contract } from '../../schemas/contract.ts';
import { contractFor, type Files, keepFiles } from './contract-case.ts';
import { memoryLedger } from './memory-ledger.ts';
import { realClock } from './real-clock.ts';

type Build = Exclude<z.input<typeof Contract>['build'], 'unpinned' | undefined>;

/** Builds trees under one B_C in a real sandbox. */
export async function buildBench(
  sandboxName: 'bwrap' | 'process' | 'docker',
  parts: Partial<z.input<typeof Contract>>,
) {
  const ledger = memoryLedger();
  const options = {
    run: 'contract-build',
    cache: join(tmpdir(), 'csw-contract-cache'),
    host: { PATH: variable('PATH') ?? '' },
  };
  const sandbox = await chooseSandbox(sandboxName, options);
  const builder = openBuilder({ sandbox, name: sandboxName, blobs: ledger, clock: realClock });
  const { signal } = new AbortController();
  return {
    ledger,
    keep: (files: Files) => keepFiles(ledger, files),
    async build(files: Files, build: Build) {
      const tree = keepFiles(ledger, files);
      const contract = contractFor(tree, { ...parts, build });
      return await builder.build({ contract, tree }, signal);
    },
    builder,
    signal,
  };
}

export type BuildBench = Awaited<ReturnType<typeof buildBench>>;

/** The codes of a build's reasons, the primary one first. */
export const codesOf = ({ reasons }: { readonly reasons: readonly { readonly code: string }[] }) =>
  reasons.map(({ code }) => code);

/** B_C of F-PY: the unittest reporter over its own stream, the tree read-only, nothing else in the environment. */
export const unittestBuild = (more: Partial<Build> = {}): Build => ({
  network: 'none',
  env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' },
  commands: [{ argv: ['python3', '{reporter}', '{report}', 'tests/test_core.py'], timeout_s: 20 }],
  report: { kind: 'unittest' },
  expect: { fail_to_pass: ['tests/test_core.py > Core > test_slug'] },
  ...more,
});
