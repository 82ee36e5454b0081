import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { openBuilder } from '../../pipeline/contract-builds/open.ts';
import { variable } from '../../pipeline/env.ts';
import { chooseSandbox } from '../../pipeline/sandboxes/choose.ts';
import type { Contract } from '../../schemas/contract.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { contractFor, type Files, keepFiles } from './contract-case.ts';
import { memoryLedger } from './memory-ledger.ts';
import { realClock } from './real-clock.ts';

type Build = Exclude<z.input<typeof Contract>['build'], 'unpinned' | undefined>;

type SandboxName = 'bwrap' | 'process' | 'docker';

const options = {
  run: 'contract-build',
  cache: join(tmpdir(), 'csw-contract-cache'),
  host: { PATH: variable('PATH') ?? '' },
};

/** Builds trees under one B_C in a real sandbox, which is not looked for before the first build: a suite may be left out. */
export function buildBench(name: SandboxName, parts: Partial<z.input<typeof Contract>>) {
  const ledger = memoryLedger();
  let opened: Promise<Builder> | undefined;
  const open = () => {
    opened ??= chooseSandbox(name, options).then((sandbox) =>
      openBuilder({ sandbox, name, blobs: ledger, clock: realClock }),
    );
    return opened;
  };
  const { signal } = new AbortController();
  const builder: Builder = {
    build: async (...given) => (await open()).build(...given),
    probe: async (...given) => (await open()).probe(...given),
  };
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

export type BuildBench = ReturnType<typeof buildBench>;

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
