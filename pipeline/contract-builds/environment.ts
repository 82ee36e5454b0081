import type { PinnedBuild } from '../../schemas/contract.ts';
import { type Environment, EnvironmentSpec } from '../../schemas/environment.ts';
import type { Sandbox } from '../../stages/context.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';

/** A box with nothing installed: B_C names its tools itself. */
const bareSpec = EnvironmentSpec.parse({
  environment: 1,
  language: 'python',
  runner: 'unittest',
  testFiles: ['**'],
  sourceFiles: ['**'],
});

/** What a build runs in: the very image that it pins, else what the sandbox starts from by itself. */
export async function environmentOf(
  { sandbox, name }: { readonly sandbox: Sandbox; readonly name: Environment['sandbox'] },
  { image }: PinnedBuild,
  signal: AbortSignal,
): Promise<Environment> {
  if (image !== undefined) {
    // Preparing would ask the image for a language's tools, and a pinned image may have none of them.
    const spec = { ...bareSpec, image };
    return { spec, sandbox: name, digest: digestOf({ image }), tools: [], handle: image };
  }
  const prepared = await sandbox.prepare(bareSpec, [], signal);
  if (prepared.ready) return prepared.environment;
  throw new Fault(`Build failed: ${prepared.step}: ${prepared.tail}. Run "pipeline doctor".`, {
    code: 'environment-failed',
  });
}
