import { describe, expect, test } from 'vitest';
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
