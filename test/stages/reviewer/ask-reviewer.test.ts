import { expect, test } from 'vitest';
import { scripted } from '../../../pipeline/models/scripted.ts';
import { askReviewer } from '../../../stages/reviewer/ask-reviewer.ts';
import { ids } from '../../support/limiter.ts';
import { reviewable, reviewed } from '../../support/reviewed.ts';

const reviewer = { name: 'reader', family: 'f', provider: 'scripted' };
const statement = { doc: 'statement', quote: 'must hold, alone and together' };
const finding = {
  side: 'FN',
  test: ids.one,
  clause: 'R1.a',
  claim: 'It fixes a number.',
  citations: [statement],
};

/** What review makes of a reviewer's answers. */
async function opinions(...answers: readonly string[]) {
  const models = { reader: scripted({ answers: [...answers] }) };
  const { verdicts } = await reviewed(reviewable('1'), { models, settings: { reviewer } });
  return verdicts.filter(({ mode }) => mode === 'assisted');
}
const say = (...findings: readonly object[]) => JSON.stringify({ findings });

test('what a reviewer alone says is suspect, with its quotes verified', async () => {
  expect(await opinions(say(finding))).toMatchObject([
    {
      verdict: 'suspect',
      suspectReason: 'no-witness',
      kind: 'FN4',
      target: { test: ids.one, clause: 'R1.a' },
      citations: [{ ...statement, verified: true }],
    },
  ]);
});

test.each([
  [
    'a quote that is not there',
    { citations: [{ doc: 'statement', quote: 'must hold, alone or together' }] },
  ],
  [
    'one false quote among true ones',
    { citations: [statement, { doc: 'statement', quote: 'nowhere to be found' }] },
  ],
  ['a document that was not shown', { citations: [{ ...statement, doc: 'gold.diff' }] }],
  ['no quote', { citations: [] }],
  ['a test that does not exist', { test: 'nobody' }],
  ['a clause that does not exist', { clause: 'R9.z' }],
])('%s voids the finding', async (_, change) => {
  expect(await opinions(say({ ...finding, ...change }))).toEqual([]);
});

test('a void finding takes nothing from the one beside it', async () => {
  const answer = say({ ...finding, test: 'nobody' }, { ...finding, side: 'FP' });
  expect(await opinions(answer)).toMatchObject([{ side: 'FP', kind: 'FP1' }]);
});

test('an answer that stays unusable after one correction says nothing', async () => {
  expect(await opinions('I think', 'it is fine')).toEqual([]);
  expect(await opinions('I think', say(finding))).toHaveLength(1);
});

test('without a reviewer nobody is asked', async () => {
  const { woven, facts } = await reviewed(reviewable('1'));
  expect(await askReviewer(facts, woven.context)).toEqual([]);
});
