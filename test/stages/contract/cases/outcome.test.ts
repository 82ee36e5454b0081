import { describe, expect, test } from 'vitest';
import { conditions } from '../../../../stages/controller/conditions.ts';
import type { Shells } from '../../../../stages/controller/ports.ts';
import { Fault } from '../../../../stages/fault.ts';
import { body, edit, rolloutOn } from '../../../support/controller-bench.ts';

const right = '    return 1;\n';
const isRight = (source: string) => source.includes('return 1;');
const wrong = edit('    return 2;\n');
const violating = JSON.stringify({
  edits: [
    { file: 'src/lru.ts', find: '    return 0;\n', replace: right },
    { file: 'src/clock.ts', find: '=> 1', replace: '=> 2' },
  ],
  create: [],
  delete: [],
});

test('case 86: a candidate that builds and violates ends the rollout, and the right second reply is never asked for', async () => {
  const ended = await rolloutOn({
    condition: 'C4',
    answers: [violating, edit(right)],
    builds: isRight,
  });
  expect(ended).toMatchObject({ outcome: 'false-success', left: 1 });
  expect(ended.requests).toHaveLength(1);
  expect(ended.attempts).toMatchObject([
    { class: 'false-success', report: { conforms: false }, build: { status: 'true' } },
  ]);
});

test('case 87: under contract-first a violator is never built', async () => {
  const written = {
    name: 'X',
    interface: 'edits',
    attempts: 1,
    diagnosticFirst: false,
    order: 'contract-first',
  } as const;
  const ended = await rolloutOn({ condition: written, answers: [violating], builds: isRight });
  expect(ended).toMatchObject({ outcome: 'rejected-violation', built: [] });
  expect(ended.attempts).toMatchObject([{ class: 'violation', build: { status: 'not-run' } }]);
});

test('case 88: three conforming failures and an unparsable reply are an invalid candidate', async () => {
  const ended = await rolloutOn({ condition: 'C4', answers: [wrong, wrong, wrong, 'no JSON'] });
  expect(ended.outcome).toBe('invalid-candidate');
  expect(ended.attempts.map(({ class: kind }) => kind)).toEqual([
    'failure',
    'failure',
    'failure',
    'invalid',
  ]);
  expect(ended.attempts[3]?.proposalReason).toContain('proposal.syntax');
});

test('case 3: an unchanged candidate that does not build is a safe failure', async () => {
  const ended = await rolloutOn({ condition: 'C0', answers: [edit('    return 0;\n')] });
  expect(ended.outcome).toBe('safe-failure');
});

test('case A6: a syntax error with its extent intact is a safe failure', async () => {
  expect((await rolloutOn({ condition: 'C0', answers: [edit('    return (1;\n')] })).outcome).toBe(
    'safe-failure',
  );
});

describe('A11: equal bytes and another statement', () => {
  test('case A11: a statement that the probe finds changed is a false success, though every byte is right', async () => {
    const statement = { same: false, base: 'one', candidate: 'two' };
    const ended = await rolloutOn({
      condition: 'C2',
      answers: [body(right)],
      builds: isRight,
      statement,
    });
    expect(ended).toMatchObject({ outcome: 'false-success' });
    expect(ended.attempts[0]?.report).toMatchObject({
      conforms: false,
      conformsEq2: true,
      conjuncts: { projection: true, statement: false },
      reasons: [{ code: 'audit.statement' }],
    });
  });

  test('a statement that is the same, or cannot be told, takes nothing away', async () => {
    for (const same of [true, null]) {
      const statement = { same, base: 'one', candidate: same === null ? null : 'one' };
      const ended = await rolloutOn({
        condition: 'C2',
        answers: [body(right)],
        builds: isRight,
        statement,
      });
      expect(ended.outcome).toBe('valid-success');
    }
  });
});

describe('what each condition asks', () => {
  const said = async (condition: string, answers: string[]) =>
    (await rolloutOn({ condition, answers })).requests.map(
      ({ messages }) => messages[0]?.content ?? '',
    );

  test('the table is the published one, with two of ours', () => {
    expect(
      conditions.map((one) => [
        one.name,
        one.interface,
        one.attempts,
        one.diagnosticFirst,
        one.order,
      ]),
    ).toEqual([
      ['C0', 'edits', 1, false, 'measure'],
      ['C1', 'edits', 4, true, 'measure'],
      ['C2', 'body', 4, true, 'contract-first'],
      ['C3', 'edits', 1, true, 'measure'],
      ['C4', 'edits', 4, false, 'measure'],
      ['S0', 'shell', 1, false, 'contract-first'],
      ['S1', 'shell', 4, false, 'contract-first'],
    ]);
  });

  test.each([
    ['C0', [wrong], [false]],
    ['C1', [wrong, wrong, wrong, wrong], [true, false, false, false]],
    ['C3', [wrong], [true]],
    ['C4', [wrong, wrong, wrong, wrong], [false, false, false, false]],
  ])(
    '%s shows the baseline where it says so, and later the last answer with what the build said',
    async (name, answers, shown) => {
      const texts = await said(name, answers);
      expect(texts.map((text) => text.includes('what the baseline said'))).toEqual(shown);
      for (const text of texts.slice(1)) {
        expect(text).toContain('the log of the build');
        expect(text).toContain('return 2;');
      }
    },
  );

  test('later attempts edit the base and never the last candidate', async () => {
    const ended = await rolloutOn({
      condition: 'C1',
      answers: [wrong, edit(right)],
      builds: isRight,
    });
    expect(ended.outcome).toBe('valid-success');
    expect(ended.requests[1]?.messages[0]?.content).toContain('    return 0;\n');
  });

  test('C2 is told why it was refused, by codes and places', async () => {
    const texts = await said('C2', [
      body('    // END EDITABLE get\n'),
      body(right),
      body(right),
      body(right),
    ]);
    expect(texts[1]).toContain('region.marker-in-body');
    expect(texts[1]).not.toContain('the log of the build');
  });

  test('under measure the report of the contract is never shown', async () => {
    const texts = await said('C4', [violating, wrong, wrong, wrong]);
    expect(texts.slice(1).join('')).not.toContain('bytes.protected');
  });

  test('a body cannot express anything but the region', async () => {
    const ended = await rolloutOn({
      condition: 'C2',
      answers: [violating, violating, violating, violating],
    });
    expect([ended.outcome, ended.attempts.every(({ class: kind }) => kind === 'invalid')]).toEqual([
      'invalid-candidate',
      true,
    ]);
  });
});

describe('faults of the world', () => {
  const lost = () => new Fault('model failed: gone. Again.', { code: 'model-unavailable' });
  const recovery = { on: ['model-transport' as const], times: 2, wait_s: [10, 60] };

  test('a listed fault is the same call again, by the clock, and no attempt', async () => {
    const ended = await rolloutOn({
      condition: 'C0',
      answers: [lost(), lost(), edit(right)],
      builds: isRight,
      recovery,
    });
    expect(ended).toMatchObject({ outcome: 'valid-success', fault: null });
    expect(ended.attempts).toHaveLength(1);
    expect(ended.attempts[0]?.retries.map(({ fault }) => fault)).toEqual([
      'model-unavailable',
      'model-unavailable',
    ]);
    expect(ended.clock.slept).toEqual([10_000, 60_000]);
    expect(ended.requests[0]).toEqual(ended.requests[2]);
  });

  test('spent retries leave the rollout without an outcome', async () => {
    const ended = await rolloutOn({ condition: 'C0', answers: [lost(), lost(), lost()], recovery });
    expect(ended).toMatchObject({
      outcome: null,
      attempts: [],
      fault: { code: 'model-unavailable' },
    });
  });

  test('a fault that is not on the list is not repeated', async () => {
    const ended = await rolloutOn({
      condition: 'C0',
      answers: [lost()],
      recovery: { ...recovery, on: [] },
    });
    expect([ended.outcome, ended.requests.length]).toEqual([null, 1]);
  });

  test('a reply cut by its length limit and a refusal are invalid attempts, a broken stream is a fault', async () => {
    const cut = await rolloutOn({
      condition: 'C0',
      answers: [{ text: '{', finish: 'length' }],
      recovery,
    });
    expect(cut).toMatchObject({
      outcome: 'invalid-candidate',
      attempts: [{ proposalReason: expect.stringContaining('proposal.truncated') }],
    });
    const refused = await rolloutOn({
      condition: 'C0',
      answers: [{ text: 'no', finish: 'refused' }],
      recovery,
    });
    expect(refused).toMatchObject({
      attempts: [{ proposalReason: expect.stringContaining('proposal.refused') }],
    });
    const broken = await rolloutOn({
      condition: 'C0',
      answers: [{ text: '{', finish: 'aborted' }],
      recovery: { ...recovery, on: [] },
    });
    expect(broken.outcome).toBeNull();
  });

  test('a mailbox without an answer passes through, so that the same command goes on later', async () => {
    const waiting = new Fault('waits', { code: 'model-waiting' });
    await expect(rolloutOn({ condition: 'C0', answers: [waiting], recovery })).rejects.toBe(
      waiting,
    );
  });
});

describe('the shell interface', () => {
  const turn = (run: string, done = false) => JSON.stringify({ run, done });

  function shellsOf(tree: { tree: string; discarded: string[] } | { reason: string }) {
    const ran: string[] = [];
    const shells: Shells = {
      use: (_, __, work) =>
        work({
          run: async (command) => {
            ran.push(command);
            return `ran ${command}\n[exit 0]`;
          },
          collect: async () => tree,
        }),
    };
    return { ran, shells };
  }

  test('commands come back with their output until the copy is done', async () => {
    const { ran, shells } = shellsOf({ reason: 'tree.link docs: a link that leaves the tree' });
    const ended = await rolloutOn({
      condition: 'S0',
      answers: [turn('ls'), turn('make'), turn('', true)],
      shells,
    });
    expect(ran).toEqual(['ls', 'make']);
    expect(ended.requests[2]?.messages[0]?.content).toContain('ran make');
    expect(ended).toMatchObject({
      outcome: 'invalid-candidate',
      attempts: [{ proposalReason: expect.stringContaining('tree.link') }],
    });
  });

  test('an answer that is no turn is an invalid attempt', async () => {
    const { shells } = shellsOf({ reason: 'unused' });
    const ended = await rolloutOn({ condition: 'S0', answers: ['ls'], shells });
    expect(ended).toMatchObject({
      outcome: 'invalid-candidate',
      attempts: [{ proposalReason: expect.stringContaining('proposal.syntax') }],
    });
  });
});
