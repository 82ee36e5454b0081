import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Runner } from '../../schemas/environment.ts';
import type { Ran } from '../../schemas/test-run.ts';
import type { Box } from '../../stages/context.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const names = ['probe.mjs', 'sitecustomize.py'];

const starts: Readonly<Partial<Record<Runner, 'node' | 'python'>>> = {
  'node-test': 'node',
  vitest: 'node',
  jest: 'node',
  mocha: 'node',
  ava: 'node',
  pytest: 'python',
  unittest: 'python',
};

const Said = z.union([
  z.strictObject({ place: z.string(), id: z.number().int().nonnegative() }),
  z.strictObject({ place: z.string(), test: z.string() }),
]);
type Said = z.infer<typeof Said>;

type Probed = {
  wrap(argv: readonly string[]): string[];
  /** What ran, asked after the run; null where a line cannot be read. */
  told(): Promise<Ran | null>;
};

/**
 * Lay what probes of a tree call, beside the tree, and say how to start the run with it. null for the runners of compiled languages.
 */
export async function probe(box: Box, runner: Runner): Promise<Probed | null> {
  const start = starts[runner];
  if (start === undefined) return null;
  const here = `${box.outside}/probes`;
  const out = `${here}/ran`;
  const laid = names.map((name) => ({
    path: `${here}/${name}`,
    kind: 'file' as const,
    bytes: readFileSync(new URL(`probes/${name}`, import.meta.url)),
  }));
  await box.write([...laid, { path: out, kind: 'file', bytes: new Uint8Array() }]);
  const script =
    start === 'node'
      ? `export NODE_OPTIONS="--import=file://${here}/probe.mjs\${NODE_OPTIONS:+ $NODE_OPTIONS}"; exec "$@"`
      : `export PYTHONPATH="${here}\${PYTHONPATH:+:$PYTHONPATH}"; exec "$@"`;
  return {
    wrap: (argv) => ['env', `CSW_RAN=${out}`, '/bin/sh', '-c', script, 'probed', ...argv],
    async told() {
      const bytes = await box.read(out, MAX_BYTES);
      return bytes === null || bytes.length === MAX_BYTES ? null : ranOf(bytes);
    },
  };
}

/** Statements by the tests that ran beside them: in one process for Node, at that moment for Python. No test: any may need them. */
function ranOf(bytes: Uint8Array): Ran | null {
  const lines = Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean);
  const places = new Map<string, { tests: Set<string>; ids: Set<number> }>();
  for (const line of lines) {
    const said = saidIn(line);
    if (said === null) return null;
    const at = places.get(said.place) ?? { tests: new Set<string>(), ids: new Set<number>() };
    places.set(said.place, at);
    if ('id' in said) at.ids.add(said.id);
    else at.tests.add(said.test);
  }
  return merged([...places.values()]);
}

function saidIn(line: string): Said | null {
  try {
    return Said.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Sorted, so that runs which differ in nothing but their processes are equal. */
function merged(
  places: readonly { readonly tests: ReadonlySet<string>; readonly ids: ReadonlySet<number> }[],
): Ran {
  const groups = new Map<string, { tests: string[]; ids: Set<number> }>();
  for (const { tests, ids } of places) {
    const sorted = [...tests].toSorted();
    const key = JSON.stringify(sorted);
    const group = groups.get(key) ?? { tests: sorted, ids: new Set<number>() };
    groups.set(key, group);
    for (const id of ids) group.ids.add(id);
  }
  return [...groups]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { tests, ids }]) => ({
      tests,
      ids: [...ids].toSorted((left, right) => left - right),
    }));
}
