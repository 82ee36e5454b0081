import { Environment, EnvironmentSpec } from '../../schemas/environment.ts';
import type { Sandbox } from '../../stages/context.ts';
import type { Shells } from '../../stages/controller/ports.ts';
import { Fault } from '../../stages/fault.ts';
import type { Blobs } from '../solver-boxes/collect.ts';
import { useSolverBox } from '../solver-boxes/use.ts';

const spec = EnvironmentSpec.parse({
  environment: 1,
  language: 'python',
  runner: 'unittest',
  testFiles: ['**'],
  sourceFiles: ['**'],
});

/** Shells over one sandbox: a fresh solver's box each, the base in it, no network. */
export function openShells(sandbox: Sandbox, blobs: Blobs): Shells {
  return {
    async use({ contract, base, keep }, signal, work) {
      const prepared = await sandbox.prepare(spec, [], signal);
      if (!prepared.ready)
        throw new Fault(`Shell failed: ${prepared.tail}. Run "pipeline doctor".`, {
          code: 'environment-failed',
        });
      const environment = Environment.parse(prepared.environment);
      const step = { environment, contract, base, absent: [], keep };
      return await useSolverBox(step, { sandbox, blobs }, signal, work);
    },
  };
}
