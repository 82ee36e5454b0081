import type { Environment, EnvironmentSpec } from '../../../schemas/environment.ts';
import type { Box, BoxFile, Sandbox } from '../../../stages/context.ts';
import { digestOf, sha256 } from '../../../stages/contract/canonical-json.ts';
import { Fault } from '../../../stages/fault.ts';
import type { Backend } from './backend.ts';
import { frozenFiles } from './frozen-files.ts';
import { alsoKeptAs, depsFolder, keepOnce } from './kept-deps.ts';
import { lendBox } from './lend-box.ts';
import type { SandboxOptions } from './options.ts';
import { installEnv, type Places, placed } from './pins.ts';

type Prepared = Awaited<ReturnType<Sandbox['prepare']>>;
type Failure = { readonly step: string; readonly tail: string };
type Tools = Environment['tools'];
type Found = { readonly image: string | null; readonly tools: Tools };

/** Files that say what is installed; a change in any other never installs anew. */
const NAMES_DEPENDENCIES =
  /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|\.npmrc|requirements[^/]*\.txt|constraints[^/]*\.txt|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile(\.lock)?|setup\.(cfg|py)|tox\.ini|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|go\.(mod|sum|work)|Cargo\.(toml|lock)|pom\.xml)$/;

const STEP_LIMIT_MS = 20 * 60_000;
const ASK_LIMIT_MS = 30_000;
const TAIL_BYTES = 8192;

/** Names what an installation depends on, and nothing of this machine's paths. */
function digestFor(spec: EnvironmentSpec, tree: readonly BoxFile[], found: Found, sandbox: string) {
  const { install, env, language } = spec;
  const named =
    install.length === 0 ? [] : tree.filter(({ path }) => NAMES_DEPENDENCIES.test(path));
  const files = named.map(({ path, kind, bytes }) => [path, kind, sha256(bytes)]).toSorted();
  const platform = `${process.platform}-${process.arch}`;
  return digestOf({ install, env, language, files, ...found, sandbox, platform });
}

/** Ask the language's program in the box for its version. */
async function askTools(
  box: Box,
  language: EnvironmentSpec['language'],
  where: string,
  signal: AbortSignal,
): Promise<Tools> {
  const tools: Tools[number][] = [];
  for (const argv of ASKED[language]) tools.push(await askTool(box, argv, where, signal));
  return tools.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** How each language's programs tell their versions. */
const ASKED: Readonly<Record<EnvironmentSpec['language'], readonly (readonly string[])[]>> = {
  typescript: [['node', '--version']],
  javascript: [['node', '--version']],
  python: [['python3', '--version']],
  go: [['go', 'version']],
  rust: [
    ['cargo', '--version'],
    ['rustc', '--version'],
  ],
  java: [
    ['java', '-version'],
    ['mvn', '--version'],
  ],
};

async function askTool(
  box: Box,
  argv: readonly string[],
  where: string,
  signal: AbortSignal,
): Promise<Tools[number]> {
  const [name = ''] = argv;
  const exit = await box.exec(argv, { timeoutMs: ASK_LIMIT_MS }, signal);
  const told = [exit.stdout, exit.stderr]
    .map((bytes) => new TextDecoder().decode(bytes))
    .join('\n');
  const version = /\d+(\.\d+)+[^\s"]*/.exec(told)?.[0];
  if (exit.code === 0 && version !== undefined) return { name, version };
  const said = new TextDecoder().decode(exit.stderr).trim();
  const message = `${name} in the ${where} sandbox failed: ${said || 'no version printed'}. Install it, or choose another sandbox or image.`;
  throw new Fault(message, { code: 'toolchain-missing' });
}

async function installAll(
  box: Box,
  steps: readonly string[][],
  host: Record<string, string>,
  places: Places,
  signal: AbortSignal,
): Promise<Failure | null> {
  for (const step of steps) {
    const argv = step.map((word) => placed(word, places));
    const options = { env: host, timeoutMs: STEP_LIMIT_MS, maxOutputBytes: 2 * TAIL_BYTES };
    const exit = await box.exec(argv, options, signal);
    if (exit.code === 0) continue;
    const output = Buffer.concat([exit.stdout, exit.stderr]).subarray(-TAIL_BYTES).toString();
    const tail = exit.timedOut
      ? `${output}\ntimed out after ${STEP_LIMIT_MS / 60_000} minutes`
      : output;
    return { step: step.join(' '), tail };
  }
  return null;
}

/**
 * What was resolved while it was installed is part of what the environment is called: where a tree has no lock, two installations
 * of different versions have different digests. The folder is found under both names.
 */
async function frozenWith(
  environment: Environment,
  tree: readonly BoxFile[],
  cache: string,
): Promise<Prepared> {
  const { digest } = environment;
  const files = await frozenFiles(depsFolder(cache, digest), tree);
  if (files.length === 0) return { ready: true, environment, frozen: [] };
  const frozen = files.map(({ path, bytes }) => ({ path, sha256: sha256(bytes) }));
  const whole = digestOf({ digest, frozen });
  await alsoKeptAs(cache, digest, whole);
  const named = { ...environment, digest: whole, frozen };
  return { ready: true, environment: named, frozen: files.map(({ bytes }) => bytes) };
}

/** Makes a spec ready in one back end, once per digest. */
export function preparer(options: SandboxOptions, backend: Backend): Sandbox['prepare'] {
  const asked = new Map<string, Tools>();

  async function look(spec: EnvironmentSpec, signal: AbortSignal): Promise<Found> {
    const image = (await backend.image?.(spec)) ?? null;
    const key = `${spec.language} ${image}`;
    const known = asked.get(key);
    if (known !== undefined) return { image, tools: known };
    const plain = { ...spec, env: {}, paths: [] };
    const request = { spec: plain, deps: null, isInstall: false, image };
    const tools = await lendBox(backend, options.run, request, signal, (box) =>
      askTools(box, spec.language, backend.name, signal),
    );
    asked.set(key, tools);
    return { image, tools };
  }

  async function install(
    spec: EnvironmentSpec,
    tree: readonly BoxFile[],
    deps: string,
    image: string | null,
    signal: AbortSignal,
  ) {
    const request = { spec, deps, isInstall: true, image };
    return await lendBox(backend, options.run, request, signal, async (box, { places }) => {
      await box.write(tree);
      return await installAll(box, spec.install, installEnv(options.host), places, signal);
    });
  }

  return async (spec, tree, signal): Promise<Prepared> => {
    const { image, tools } = await look(spec, signal);
    const digest = digestFor(spec, tree, { image, tools }, backend.name);
    const deps = spec.install.length === 0 ? '' : depsFolder(options.cache, digest);
    const handle = image ?? deps;
    const environment = { spec, sandbox: backend.name, digest, tools: [...tools], handle };
    if (spec.install.length === 0) return { ready: true, environment, frozen: [] };
    const failure = await keepOnce(options.cache, digest, signal, (place) =>
      install(spec, tree, place, image, signal),
    );
    if (failure !== null) return { ready: false, ...failure };
    return await frozenWith(environment, tree, options.cache);
  };
}
