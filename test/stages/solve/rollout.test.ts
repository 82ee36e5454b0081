import { expect, test } from 'vitest';
import { Rollout } from '../../../schemas/rollout.ts';
import { Fault } from '../../../stages/fault.ts';
import { runPanel } from '../../../stages/solve/panel.ts';
import { honest, type Judge, playing, type Reply, solveBench } from '../../support/solve-bench.ts';

const answer = (parts: object): Reply => ({
  text: JSON.stringify({ edits: [], create: [], delete: [], ...parts }),
});
const right = answer({ edits: [{ file: 'src/add.ts', find: 'a - b', replace: 'a + b' }] });
const wrong = answer({ edits: [{ file: 'src/add.ts', find: 'a - b', replace: 'a * b' }] });
const outside = answer({
  edits: [
    { file: 'src/add.ts', find: 'a - b', replace: 'a + b' },
    { file: 'lib/other.js', find: '1', replace: '2' },
  ],
});

async function panel(
  replies: Record<string, Reply>,
  judge: Judge = honest,
  order: 'contract-first' | 'measure' = 'contract-first',
) {
  const players = Object.entries(replies).map(([name, reply]) => [name, playing(reply)] as const);
  const bench = solveBench(
    judge,
    Object.fromEntries(players.map(([name, { model }]) => [name, model])),
  );
  const task = { ...bench.task, contract: { ...bench.task.contract, order } };
  const asked = () => players.map(([, player]) => player.asked.length);
  return { bench, asked, run: () => runPanel({ ...bench, task }) };
}

async function only(reply: Reply, judge?: Judge, order?: 'contract-first' | 'measure') {
  const { bench, run } = await panel({ one: reply }, judge, order);
  const [rollout] = await run();
  return { rollout: Rollout.parse(rollout), bench };
}

test.each<[string, Reply, string, 'contract-first' | 'measure']>([
  ['a right answer', right, 'valid-success', 'contract-first'],
  ['a wrong answer', wrong, 'safe-failure', 'contract-first'],
  ['no change', answer({}), 'safe-failure', 'contract-first'],
  [
    'a right answer that also edits a protected file',
    outside,
    'rejected-violation',
    'contract-first',
  ],
  ['the same, measured', outside, 'false-success', 'measure'],
  ['prose', { text: 'I would add.' }, 'invalid-candidate', 'contract-first'],
  [
    'half an answer',
    { text: '{"edits":[', finish: 'length' },
    'invalid-candidate',
    'contract-first',
  ],
])('%s ends as it must', async (_, reply, outcome, order) => {
  const { rollout } = await only(reply, honest, order);
  expect(rollout).toMatchObject({ outcome, fault: null });
});

test.each(['conftest.py', 'pytest.ini', 'sitecustomize.py', 'vitest.setup.ts', 'test/add.test.ts'])(
  'a candidate that adds or takes %s is refused with the path named, and never built (C7)',
  async (file) => {
    const { rollout, bench } = await only(answer({ create: [{ file, text: 'x\n' }] }));
    expect(rollout).toMatchObject({
      outcome: 'rejected-violation',
      attempts: [
        {
          build: { status: 'not-run' },
          report: { reasons: expect.arrayContaining([expect.objectContaining({ path: file })]) },
        },
      ],
    });
    expect(bench.runs).toEqual([]);
  },
);

test('the raw reply and the request are kept, also of an answer that is no proposal', async () => {
  const { rollout, bench } = await only({ text: 'I would add.' });
  const [attempt] = rollout.attempts;
  expect(new TextDecoder().decode(bench.ledger.get(attempt?.proposal ?? ''))).toBe('I would add.');
  expect(new TextDecoder().decode(bench.ledger.get(attempt?.request ?? ''))).toContain(
    '"subject":"add"',
  );
  expect(attempt?.proposalReason).toBe(
    'proposal.syntax: not-json, the reply is not one JSON object',
  );
});

test('a fault leaves the rollout without an outcome, and the others go on (C19)', async () => {
  const lost = new Fault('sandbox failed: gone', { code: 'sandbox-lost' });
  const breaking: Judge = (source, request) => {
    if (source.includes('a * b')) throw lost;
    return honest(source, request);
  };
  const { run } = await panel({ first: wrong, second: right }, breaking);
  expect(
    (await run()).map(({ entrant, outcome, fault }) => [entrant, outcome, fault?.code ?? null]),
  ).toEqual([
    ['first', null, 'sandbox-lost'],
    ['second', 'valid-success', null],
  ]);
});

test('a reply that the connection ended is a fault, not a failure', async () => {
  const { rollout } = await only({ text: '{"edits":', finish: 'idle-timeout' });
  expect(rollout).toMatchObject({
    attempts: [],
    outcome: null,
    fault: { code: 'model-unavailable' },
  });
});

test('a waiting mailbox is raised after every other entrant was asked', async () => {
  const waiting = new Fault('mailbox waits', { code: 'model-waiting' });
  const { run, asked } = await panel({ first: waiting, second: right, third: waiting });
  await expect(run()).rejects.toMatchObject({ code: 'model-waiting' });
  expect(asked()).toEqual([1, 1, 1]);
});

test('a spent budget is raised rather than a waiting mailbox', async () => {
  const { run } = await panel({
    first: new Fault('mailbox waits', { code: 'model-waiting' }),
    second: new Fault('budget spent', { code: 'budget-exhausted' }),
  });
  await expect(run()).rejects.toMatchObject({ code: 'budget-exhausted' });
});

test('each entrant and replicate is a request of its own', async () => {
  const { bench, run } = await panel({ a: right, b: right });
  const rollouts = await run();
  expect(new Set(rollouts.map(({ attempts }) => attempts[0]?.request)).size).toBe(2);
  expect(rollouts.map(({ id }) => id)).toEqual(['add@0/a/edits/0', 'add@0/b/edits/0']);
  expect(bench.runs.length).toBeGreaterThan(0);
});

test('a contract with more attempts asks again with what was said of the last answer, up to the first that builds', async () => {
  const player = playing(outside, wrong, right, right);
  const bench = solveBench(honest, { one: player.model });
  const limits = { ...bench.task.contract.limits, attempts: 4 };
  const task = { ...bench.task, contract: { ...bench.task.contract, limits } };
  const [rollout] = await runPanel({ ...bench, task });
  expect(rollout).toMatchObject({
    outcome: 'valid-success',
    attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }],
  });
  const last = player.asked.map(({ messages }) => messages.at(-1)?.content ?? '');
  expect(last[1]).toContain('bytes.protected lib/other.js');
  expect(last[2]).toContain('build.id-failed: add > adds');
  expect(last.join('')).not.toContain('hidden secret');
  expect(player.asked[1]?.messages[0]).toEqual(player.asked[0]?.messages[0]);
});
