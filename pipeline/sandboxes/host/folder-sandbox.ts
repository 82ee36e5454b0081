import type { Environment } from '../../../schemas/environment.ts';
import type { Sandbox } from '../../../stages/context.ts';
import { Fault } from '../../../stages/fault.ts';
import type { Backend } from './backend.ts';
import { depsFolder, isKept } from './kept-deps.ts';
import { lendBox } from './lend-box.ts';
import type { SandboxOptions } from './options.ts';
import { preparer } from './prepare.ts';

async function keptDeps({ spec, digest }: Environment, cache: string): Promise<string | null> {
  if (spec.install.length === 0) return null;
  if (await isKept(cache, digest)) return depsFolder(cache, digest);
  const message = `Kept dependencies ${digest.slice(0, 12)} failed to open: not in the cache. Prepare the environment again.`;
  throw new Fault(message, { code: 'environment-failed' });
}

/** A sandbox whose boxes are folders of the host; the back end decides how a command gets to see them. */
export function folderSandbox(options: SandboxOptions, backend: Backend): Sandbox {
  return {
    prepare: preparer(options, backend),
    async use(environment, signal, work) {
      if (environment.sandbox !== backend.name) {
        const message = `Environment refused: prepared for ${environment.sandbox}, opened in ${backend.name}. Prepare it again.`;
        throw new Fault(message, { code: 'environment-failed' });
      }
      const deps = await keptDeps(environment, options.cache);
      const image = backend.image === undefined ? null : environment.handle;
      const request = { spec: environment.spec, deps, isInstall: false, image };
      return await lendBox(backend, options.run, request, signal, (box) => work(box));
    },
  };
}
