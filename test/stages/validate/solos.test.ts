import { describe, expect, test } from 'vitest';
import { scripted } from '../../../pipeline/models/scripted.ts';
import { Fault } from '../../../stages/fault.ts';
import { ids, limiter, playLimiter } from '../../support/limiter.ts';
import { instanceOf } from '../../support/validated.ts';
import { onBench } from '../../support/woven.ts';

const soloSolvers = [{ name: 'lone', family: 'f', provider: 'scripted' }];
const edit = (find: string, replace: string, file = 'src/limit.ts') =>
  JSON.stringify({ edits: [{ file, find, replace }], create: [], delete: [] });
const one = edit('one = 0', 'one = 1');
const two = edit('two = 0', 'two = 2');

/** Validate with a model that solves one requirement at a time. */
async function alone(...answers: readonly string[]) {
  const asked: string[] = [];
  const queue = [...answers];
  const model = scripted({
    answers: ({ condition }: { condition: string }) => {
      asked.push(condition);
      return queue.shift() ?? null;
    },
  });
  const woven = await onBench(limiter, playLimiter, {
    models: { lone: model },
    settings: { soloSolvers, level: 3 },
  });
  return { instance: await instanceOf(woven), asked };
}

describe('solvers that are shown one requirement', () => {
  test('prove that the parts cannot be solved apart and added up', async () => {
    const { instance, asked } = await alone(one, two);
    expect(asked).toEqual(['solo:R1', 'solo:R2']);
    expect(instance.couplings).toMatchObject([{ level: 4, tests: [ids.both] }]);
    expect(instance.soloMerges[0]?.solos).toMatchObject([
      { requirement: 'R1', by: 'model', entrant: 'lone' },
      { requirement: 'R2', by: 'model', entrant: 'lone' },
    ]);
  });

  test.each([
    ['an answer that is no proposal', 'Just set it to two.'],
    ['an edit of nothing', edit('no such text', 'x')],
    ['an edit of what the contract protects', edit('# limiter', '# other', 'README.md')],
    ['a solution that does not solve', edit('two = 0', 'two = 3')],
  ])('prove nothing by %s', async (_, answer) => {
    const { instance } = await alone(one, answer);
    expect(instance.couplings[0]?.level).toBe(3);
  });

  test('are not judged when the world breaks: that is a fault', async () => {
    await expect(alone(one)).rejects.toThrow(Fault);
  });
});
