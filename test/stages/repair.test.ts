import { describe, expect, test } from 'vitest';
import { scripted } from '../../pipeline/models/scripted.ts';
import type { Kept } from '../../schemas/kept.ts';
import type { Task } from '../../schemas/task.ts';
import { repair } from '../../stages/repair.ts';
import { ids } from '../support/limiter.ts';
import { hiddenTests, reviewable, reviewed, right, wrong } from '../support/reviewed.ts';

const fixer = { name: 'fixer', family: 'f', provider: 'scripted' };
const body = (text: string) => JSON.stringify({ bodies: [{ region: 'r1', text }] });
const accepts = (values: string) => body(`  accepts(${values});\n`);

/** Review a task whose `one` accepts these values, then let a scripted model repair it. */
async function repaired(accepted: string, answers: readonly string[], rounds = 3) {
  const asked: string[] = [];
  const queue = [...answers];
  const model = scripted({
    answers: ({ messages }: { messages: readonly { content: string }[] }) => {
      asked.push(messages.at(-1)?.content ?? '');
      return queue.shift() ?? null;
    },
  });
  const { woven, facts } = await reviewed(reviewable(accepted, { variants: [wrong, right] }), {
    models: { fixer: model },
    settings: { repairer: fixer, rounds },
  });
  const ending = await repair.run(facts, woven.context);
  const given = ending.kind === 'redo' ? (ending.facts as { task: Task; kept: Kept }) : null;
  const overlay = given?.task.tests.overlay[0]?.sha256 ?? '';
  const text = given === null ? null : new TextDecoder().decode(woven.ledger.get(overlay));
  return { ending, given, asked, text, facts, ledger: woven.ledger };
}

const tried = (kept: Kept | undefined) =>
  kept?.repairs.map(({ round, disposition, acceptance }) => [
    round,
    disposition,
    acceptance
      .filter(({ result }) => result !== 'pass')
      .map(({ rule, detail }) => `${rule}: ${detail}`),
  ]);

describe('a mend that holds', () => {
  test('of a false negative goes back to validation as the next revision', async () => {
    const { ending, given, text } = await repaired('1', [accepts('1, 11')]);
    expect(ending).toMatchObject({ kind: 'redo', from: 'validate' });
    expect(given?.task.revision).toBe(1);
    expect(text).toBe(hiddenTests('1, 11'));
  });

  test('of a false positive catches its witness', async () => {
    const { given, text } = await repaired('1, 11, 9', [accepts('1, 11')]);
    expect(text).toBe(hiddenTests('1, 11'));
    expect(tried(given?.kept)).toEqual([[1, 'accepted', []]]);
  });

  test('is remembered: what is wrong, what is right, what was answered, and where it came from', async () => {
    const { given, facts } = await repaired('1, 11, 9', [accepts('1, 11')]);
    const kept = given?.kept;
    expect(kept?.wrong.map(({ id }) => id)).toEqual(['nine']);
    expect(kept?.right.map(({ id }) => id)).toEqual(['eleven']);
    expect(kept?.answered).toEqual(facts.verdicts.slice(0, 1));
    expect(kept?.lineage).toMatchObject([
      { revision: 1, edited: ['test/hidden.test.ts'], verdicts: [facts.verdicts[0]?.id] },
    ]);
    expect(kept?.lineage[0]?.parent).not.toBe(kept?.lineage[0]?.content);
  });

  test('may come in a later round; the refused tries are kept beside it', async () => {
    const { given, asked } = await repaired('1', [
      'no json',
      'none again',
      accepts('0, 1, 9, 11'),
      accepts('1, 11'),
    ]);
    expect(tried(given?.kept)).toEqual([
      [1, 'refused', [expect.stringContaining('the answer is a proposal')]],
      [2, 'refused', ['every candidate proved wrong still fails: nine passes']],
      [3, 'accepted', []],
    ]);
    expect(asked.at(-1)).toContain(
      'Broke the rule "every candidate proved wrong still fails": nine passes',
    );
  });
});

describe('a mend is refused', () => {
  test.each<[string, string, string, string]>([
    [
      'it lets everything through',
      '1',
      body('  // nothing is asked\n'),
      'every candidate proved wrong still fails',
    ],
    [
      'it lets a known wrong candidate through',
      '1',
      accepts('1, 9, 11'),
      'every candidate proved wrong still fails: nine passes',
    ],
    [
      'the witness of a false negative still fails',
      '1',
      accepts('1, 12'),
      'the witness is answered: eleven fails',
    ],
    [
      'the witness of a false positive still passes',
      '1, 11, 9',
      accepts('1, 9, 11'),
      'the witness is answered: nine passes',
    ],
    [
      'a candidate proved right fails',
      '1, 11, 9',
      accepts('1'),
      'every candidate proved right still passes: eleven fails',
    ],
    ['gold fails', '1', accepts('11'), 'gold passes: gold fails'],
    ['it skips', '1', body('  test.skip();\n  accepts(1, 11);\n'), 'the edit keeps its contract'],
    ['it ends the process', '1', body('  process.exit(0);\n'), 'the edit keeps its contract'],
    [
      'it names another region',
      '1',
      JSON.stringify({ bodies: [{ region: 'r2', text: 'x\n' }] }),
      'the edit applies',
    ],
    ['it leaves the body and closes the test', '1', body("});\ntest('more', () => {\n"), ''],
  ])('when %s', async (_, accepted, answer, rule) => {
    const { ending, given } = await repaired(accepted, [answer], 1);
    expect(given).toBeNull();
    expect(ending).toMatchObject({ kind: 'rejected', rejection: { code: 'rounds-exhausted' } });
    expect(ending.kind === 'rejected' && ending.rejection.detail).toContain(rule);
  });

  test('three times and no more; every try is kept and told', async () => {
    const { ending, asked, ledger } = await repaired(
      '1',
      ['1, 9', '1, 9, 11', '0, 1'].map(accepts),
    );
    expect(asked).toHaveLength(3);
    const evidence = ending.kind === 'rejected' ? ending.rejection.evidence : [];
    const tries = evidence.map((blob) => JSON.parse(new TextDecoder().decode(ledger.get(blob))));
    expect(tries.map(({ round, disposition }) => [round, disposition])).toEqual([
      [1, 'refused'],
      [2, 'refused'],
      [3, 'refused'],
    ]);
  });
});

describe('nothing is repaired', () => {
  test('where no verdict is open', async () => {
    const { ending, asked } = await repaired('1, 11', []);
    expect([ending, asked]).toEqual([{ kind: 'done', facts: {} }, []]);
  });

  test('where the run names no repairer or no rounds', async () => {
    expect((await repaired('1', [], 0)).ending).toEqual({ kind: 'done', facts: {} });
    const { woven, facts } = await reviewed(reviewable('1', { variants: [right] }));
    expect(await repair.run(facts, woven.context)).toEqual({ kind: 'done', facts: {} });
  });

  test('where the flagged test cannot be cut out, and no model is asked', async () => {
    const { woven, facts } = await reviewed(reviewable('1', { variants: [right] }), {
      settings: { repairer: fixer, rounds: 1 },
    });
    const verdicts = facts.verdicts.map((verdict) => ({
      ...verdict,
      target: { ...verdict.target, test: ids.old },
    }));
    expect(await repair.run({ ...facts, verdicts }, woven.context)).toMatchObject({
      kind: 'rejected',
      rejection: {
        detail: expect.stringContaining('the flagged test can be cut out: no body found'),
      },
    });
  });
});
