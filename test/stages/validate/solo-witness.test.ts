import { expect, test } from 'vitest';
import { observe } from '../../../stages/validate/observe.ts';
import { soloWitnesses } from '../../../stages/validate/solo-witness.ts';
import { ids, limit, limiter, playLimiter, soloPair } from '../../support/limiter.ts';
import { instanceOf } from '../../support/validated.ts';
import { onBench } from '../../support/woven.ts';

test('a merge of solos that fails a joint test is a witness, and every line of it holds when it is run again', async () => {
  const woven = await onBench({ ...limiter, solos: soloPair }, playLimiter);
  const instance = await instanceOf(woven);
  const [witness, ...others] = soloWitnesses(instance, 'story');
  expect(others).toEqual([]);
  const [merge] = instance.soloMerges;
  const [one, two] = merge?.solos ?? [];
  expect(witness).toMatchObject({
    id: 'w-woven-0-solo-1',
    tree: merge?.tree,
    replayCommand: 'pipeline review --run story --witness w-woven-0-solo-1',
  });
  expect(witness?.expected.map(({ test: id, tree, result }) => [id, tree, result])).toEqual([
    [ids.one, one?.tree, 'passed'],
    [ids.two, two?.tree, 'passed'],
    [ids.both, merge?.tree, 'not-passed'],
    [ids.both, instance.goldTree, 'passed'],
  ]);
  for (const { test: id, tree, result } of witness?.expected ?? []) {
    const run = await observe(woven.bench, tree, { files: woven.task.tests.files });
    expect(run.statusOf(id) === 'passed' ? 'passed' : 'not-passed').toBe(result);
  }
});

test.each([
  ['does not compose', [soloPair[0], { requirement: 'R2', files: limit(7, 2, 0) }]],
  ['has no second solo', [soloPair[0]]],
])('there is none where a merge %s', async (_, solos) => {
  const cloth = { ...limiter, solos: solos.flatMap((solo) => solo ?? []) };
  const instance = await instanceOf(await onBench(cloth, playLimiter));
  expect(soloWitnesses(instance, 'story')).toEqual([]);
});
