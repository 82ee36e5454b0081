import { readFileSync } from 'node:fs';
import type { EnvironmentSpec, Runner } from '../../schemas/environment.ts';
import type { Disturbance, Disturbed } from '../../schemas/flake.ts';
import type { Box } from '../../stages/context.ts';
import { keepsOrder, rearranged, shuffleArguments } from '../../stages/flakes/order.ts';

const names = ['node.mjs', 'node-test-order.cjs', 'sitecustomize.py', 'csw_order.py', 'start.sh'];
const MAX_TOLD_BYTES = 1024 * 1024;

const inNode: ReadonlySet<Runner> = new Set(['node-test', 'vitest', 'jest', 'mocha', 'ava']);
const inPython: ReadonlySet<Runner> = new Set(['unittest', 'pytest']);
/** Go asks the kernel itself, so that no library can stand between. */
const isOutOfReach = (runner: Runner) => runner === 'go-test';

type Suite = {
  readonly spec: EnvironmentSpec;
  readonly files: readonly string[];
  readonly disturbance: Disturbance;
};

/** How a run is started otherwise than by its runner's own command. */
type Start = {
  readonly spec: EnvironmentSpec;
  readonly files: readonly string[];
  wrap(argv: readonly string[]): string[];
  /** What took place, asked after the run. */
  told(): Promise<Disturbed>;
};

const isShuffledWithin = ({ runner }: EnvironmentSpec) =>
  runner === 'node-test' || inPython.has(runner);

function variables({ spec, disturbance }: Suite, workdir: string): string[] {
  const { runner } = spec;
  const { order } = disturbance;
  return [
    ...(inNode.has(runner) ? ['CSW_NODE=1'] : []),
    ...(inPython.has(runner) ? ['CSW_PYTHON=1'] : []),
    ...(order !== null && isShuffledWithin(spec) ? [`CSW_ORDER=${order}`] : []),
    `CSW_RUNNER=${runner}`,
    `CSW_ROOT=${workdir}`,
  ];
}

type Told = ReadonlySet<string>;

function orderHeld({ spec, disturbance: { order } }: Suite, told: Told): Disturbed['order'] {
  if (order === null) return 'none';
  const hasOwn = !inPython.has(spec.runner) && shuffleArguments(spec.runner, order).length > 0;
  if (hasOwn || (isShuffledWithin(spec) && told.has('order'))) return 'tests';
  return keepsOrder.has(spec.runner) ? 'files' : 'none';
}

function clockHeld({ disturbance }: Suite, told: Told): Disturbed['clock'] {
  if (disturbance.clockShiftS === 0) return 'none';
  if (told.has('faketime')) return 'faketime';
  return told.has('clock') ? 'preload' : 'none';
}

/**
 * Lay what makes a run's order and clock others, beside the tree, and say how to start it. The image's own libfaketime is taken where
 * it works, else a preload of ours for Node and Python; for the others the clock stays as it is, and `told` says so.
 */
export async function disturb(box: Box, suite: Suite): Promise<Start> {
  const { spec, files, disturbance } = suite;
  const here = `${box.outside}/disturb`;
  const laid = names.map((name) => ({
    path: `${here}/${name}`,
    kind: 'file' as const,
    bytes: readFileSync(new URL(`disturb/${name}`, import.meta.url)),
  }));
  await box.write([...laid, { path: `${here}/told`, kind: 'file', bytes: new Uint8Array() }]);
  const { order, clockShiftS } = disturbance;
  const start = ['/bin/sh', `${here}/start.sh`, here, `${clockShiftS}`];
  const reach = isOutOfReach(spec.runner) ? 'no' : 'try';
  return {
    spec: { ...spec, args: [...spec.args, ...shuffleArguments(spec.runner, order)] },
    files: rearranged(files, order, spec.runner),
    wrap: (argv) => ['env', ...variables(suite, box.workdir), ...start, reach, ...argv],
    async told() {
      const bytes = (await box.read(`${here}/told`, MAX_TOLD_BYTES)) ?? new Uint8Array();
      const told = new Set(Buffer.from(bytes).toString('utf8').split('\n'));
      return { order: orderHeld(suite, told), clock: clockHeld(suite, told) };
    },
  };
}
