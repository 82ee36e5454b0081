import { expect, test } from 'vitest';
import { Instance } from '../../schemas/instance.ts';
import { soloRequest } from '../../stages/solve/request.ts';
import { solve } from '../../stages/solve.ts';
import { playing, solveBench } from '../support/solve-bench.ts';

const edits = [{ file: 'src/add.ts', find: 'a - b', replace: 'a + b' }];
const reply = { text: JSON.stringify({ edits, create: [], delete: [] }) };

function facts(bench: ReturnType<typeof solveBench>) {
  const instance = Instance.parse({
    task: 'add',
    revision: 0,
    environmentDigest: bench.environment.digest,
    ...bench.instance,
    matrix: [],
    couplings: [],
    mutants: [],
    traces: [],
    soloMerges: [],
    controls: [],
    quarantined: [],
    repeats: 1,
  });
  return { task: bench.task, environment: bench.environment, instance };
}

test('the panel is every solver as often as asked for', async () => {
  const { model } = playing(reply);
  const bench = solveBench(undefined, { a: model, b: model });
  const context = { ...bench.context, settings: { ...bench.context.settings, replicates: 2 } };
  const ending = await solve.run(facts(bench), context);
  expect(ending).toMatchObject({ kind: 'done' });
  const ids =
    'facts' in ending ? (ending.facts.rollouts as { id: string }[]).map(({ id }) => id) : [];
  expect(ids).toEqual(['add@0/a/edits/0', 'add@0/a/edits/1', 'add@0/b/edits/0', 'add@0/b/edits/1']);
});

test('an unsound contract stops before any model is asked', async () => {
  const { model, asked } = playing(reply);
  const bench = solveBench(undefined, { a: model });
  const contract = { ...bench.task.contract, base: { manifest: `sha256:${'0'.repeat(64)}` } };
  const ending = await solve.run(
    { ...facts(bench), task: { ...bench.task, contract } },
    bench.context,
  );
  expect(ending).toMatchObject({ kind: 'rejected', rejection: { code: 'contract-unfit' } });
  expect(asked).toEqual([]);
});

test('a solo request shows its one requirement and not the statement', () => {
  const { task, context } = solveBench();
  const asker = { role: 'solver', entrant: 'a', condition: 'solo:R1', replicate: 0 } as const;
  const content = soloRequest({ ...task, statement: 'the whole story' }, 'R1', asker, context)
    .messages[0]?.content;
  expect(content).toContain('`add` returns the sum.');
  expect(content).not.toContain('the whole story');
});
