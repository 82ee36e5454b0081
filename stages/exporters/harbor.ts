import type { HarborTask } from '../../schemas/harbor-task.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import { inOrder } from './audit.ts';
import { baseTar, bundleSha, discardGlobs, graderBundle } from './bundle.ts';
import { commonRejections } from './check.ts';
import type { Exporter, ExportFile, ExportOptions } from './exporter.ts';
import { environmentDockerfile, verifierDockerfile } from './image.ts';
import { instruction } from './instruction.ts';
import { collectScript, solveScript, testScript } from './scripts.ts';
import { patchBytes } from './swebench.ts';
import { utf8 } from './text.ts';
import { toml } from './toml.ts';

/** Harbor strips leading lines of this form before an agent reads them. */
const canaryLine = /^(?:<!--.*canary.*-->|#.*canary.*)$/i;

function canaryRejection({ task }: ReleaseInput): Rejection[] {
  const first = task.statement.split('\n').find((line) => line.trim() !== '');
  if (first === undefined || !canaryLine.test(first.trim())) return [];
  const detail = 'the first line would be stripped as a canary. Word the heading differently.';
  return [{ code: 'instruction-starts-like-canary', detail, evidence: [] }];
}

/** Room for the control, the suite and everything around them. */
const verifierSeconds = (timeoutS: number) => Math.max(900, Math.ceil(timeoutS) * 3);

function metadata(input: ReleaseInput, options: ExportOptions): HarborTask['metadata'] {
  const { task, instance, source } = input;
  return {
    category: 'software-engineering',
    codespecweave: {
      instance_id: task.id,
      revision: task.revision,
      ...(source.licence === null ? {} : { license: source.licence }),
      split: options.split,
      level: Math.max(0, ...instance.couplings.map(({ level }) => level)),
      image_pinned: options.images[task.id] !== undefined,
      grader_sha256: `sha256:${bundleSha(graderBundle(input, options))}`,
    },
  };
}

/** `task.toml`. The agent's network is open, since installed agents call their models; the verifier has none. */
function taskToml(input: ReleaseInput, options: ExportOptions): HarborTask {
  const { task, environment } = input;
  const image = options.images[task.id];
  const resources = { cpus: 2, memory_mb: 2048 };
  const pinned = (name: string | undefined) => (name === undefined ? {} : { docker_image: name });
  return {
    schema_version: '1.4',
    artifacts: ['/logs/artifacts/model.patch'],
    task: {
      name: `${options.org}/${task.id}`,
      version: `${options.version}+r${task.revision}`,
      description: task.requirements.map(({ title }) => title).join(' · '),
      authors: [{ name: options.org }],
      keywords: [environment.spec.language, 'synthetic', 'coupled-requirements'],
    },
    metadata: metadata(input, options),
    agent: { timeout_sec: 1800, network_mode: 'public' },
    verifier: {
      timeout_sec: verifierSeconds(environment.spec.timeoutS),
      environment_mode: 'separate',
      network_mode: 'no-network',
      environment: {
        ...pinned(image?.verifier),
        ...resources,
        workdir: '/',
        network_mode: 'no-network',
      },
      collect: [{ command: 'bash /opt/csw/collect.sh', timeout_sec: 120 }],
    },
    environment: {
      ...pinned(image?.environment),
      build_timeout_sec: 600,
      ...resources,
      storage_mb: 10240,
      workdir: '/testbed',
      network_mode: 'public',
    },
  };
}

function folderFiles(input: ReleaseInput, options: ExportOptions): Record<string, Uint8Array> {
  const image = options.images[input.task.id];
  const bundle = graderBundle(input, options);
  const archive = baseTar(input);
  const collect = utf8(collectScript(discardGlobs(input)));
  // Without a pinned image the verifier is built from `tests/` alone, so the base lies there too.
  const context: Record<string, Uint8Array> =
    image === undefined ? { 'tests/base.tar': archive, 'tests/collect.sh': collect } : {};
  return {
    'task.toml': utf8(toml(taskToml(input, options))),
    'instruction.md': utf8(instruction(input)),
    'environment/Dockerfile': utf8(environmentDockerfile(input)),
    'environment/base.tar': archive,
    'environment/collect.sh': collect,
    ...context,
    'tests/Dockerfile': utf8(verifierDockerfile(input, image?.environment ?? null)),
    'tests/test.sh': utf8(testScript),
    ...Object.fromEntries(bundle.map(({ path, bytes }) => [`tests/${path}`, bytes])),
    'solution/solve.sh': utf8(solveScript),
    'solution/gold.patch': patchBytes(input.patches.gold),
  };
}

/** A folder per task for Harbor and what reads its folders, with a verifier of its own. */
export const harbor: Exporter = {
  format: 'harbor',
  check: (input, options) => [...commonRejections(input, options), ...canaryRejection(input)],
  *files(inputs, options) {
    for (const input of inOrder(inputs)) {
      for (const [name, bytes] of Object.entries(folderFiles(input, options))) {
        const file: ExportFile = { path: `harbor/${input.task.id}/${name}`, bytes };
        const isScript = name.endsWith('.sh') && !name.includes('/hidden/');
        yield isScript ? { ...file, exec: true } : file;
      }
    }
  },
};
