import { describe, expect, test } from 'vitest';
import type { Shells } from '../../../stages/controller/ports.ts';
import { Fault } from '../../../stages/fault.ts';
import { edit, rolloutOn } from '../../support/controller-bench.ts';

const right = '    return 1;\n';
const isRight = (source: string) => source.includes('return 1;');
const _wrong = edit('    return 2;\n');
const _violating = JSON.stringify({
  edits: [
    { file: 'src/lru.ts', find: '    return 0;\n', replace: right },
    { file: 'src/clock.ts', find: '=> 1', replace: '=> 2' },
  ],
  create: [],
  delete: [],
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
      async use({ keep }, _, work) {
        const run = async (command: string) => {
          ran.push(command);
          return `ran ${command}\n[exit 0]`;
        };
        try {
          return await work({ run });
        } finally {
          keep(tree);
        }
      },
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
      kept: [{ attempt: 1, ended: 'proposal.syntax', left: { reason: 'unused' } }],
    });
  });

  test('turns that are spent leave the tree as it is then for a candidate', async () => {
    const { ran, shells } = shellsOf({ reason: 'tree.kind p: a fifo' });
    const answers = Array.from({ length: 40 }, (_, at) => turn(`echo ${at}`));
    const ended = await rolloutOn({ condition: 'S0', answers, shells });
    expect(ran).toHaveLength(40);
    expect(ended).toMatchObject({
      attempts: [{ proposalReason: 'tree.kind p: a fifo' }],
      kept: [],
    });
  });

  test('a model that is lost in the middle has its tree kept, by the fault that ended it', async () => {
    const left = { tree: 'f'.repeat(64), discarded: [] };
    const { shells } = shellsOf(left);
    const lost = new Fault('model failed: gone. Again.', { code: 'model-unavailable' });
    const ended = await rolloutOn({ condition: 'S0', answers: [turn('ls'), lost], shells });
    expect(ended).toMatchObject({
      outcome: null,
      attempts: [],
      fault: { code: 'model-unavailable' },
      kept: [{ attempt: 1, ended: 'model-unavailable', left }],
    });
  });
});
