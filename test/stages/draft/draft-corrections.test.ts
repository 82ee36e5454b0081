import { describe, expect, test } from 'vitest';
import { Drafting } from '../../../schemas/draft-answer.ts';
import { draftedBy, goodPlan, goodScript, goodWork } from '../../support/drafter-bench.ts';
import { holds, ids, path, playing, says } from '../../support/limiter.ts';

const revision = (change: object) => ({ plan: null, work: null, ...change });

/** A drafter whose first work is `work` and who mends it by `mended`. */
const mending = (work: object, mended: object) => ({
  ...goodScript,
  'draft:work': [work],
  'draft:revise': [mended],
});
const editing = (find: string, replace: string) => ({
  ...goodWork,
  parts: goodWork.parts.map((part, at) =>
    at === 2 ? { ...part, edits: [{ file: path, find, replace }] } : part,
  ),
});

describe('a refused draft goes back with the evidence of its gate', () => {
  test('`draft-invalid` for an edit that does not apply', async () => {
    const { refused, said, steps } = await draftedBy({
      script: mending(editing('no such text', 'x'), revision({ work: goodWork })),
    });
    expect(refused).toBeNull();
    expect(steps[2]).toBe('draft:revise 1');
    expect(said(2)).toContain('part g12: a find that does not occur in "src/limit.ts"');
  });

  test('`draft-invalid` for a test that no runner finds, or that is there already', async () => {
    const tests = [
      { file: 'spec/new.ts', text: 'x\n' },
      { file: 'test/old.test.ts', text: 'x\n' },
    ];
    const { said } = await draftedBy({
      script: mending({ ...goodWork, tests }, revision({ work: goodWork })),
    });
    expect(said(2)).toContain('the runner does not find the test file spec/new.ts');
    expect(said(2)).toContain('test/old.test.ts is in the repository already');
  });

  test('`draft-invalid` for a part that changes tests', async () => {
    const parts = [
      { needs: ['R1'], edits: [], create: [{ file: 'test/x.test.ts', text: 'x\n' }], delete: [] },
    ];
    const { said } = await draftedBy({
      script: mending({ ...goodWork, parts }, revision({ work: goodWork })),
    });
    expect(said(2)).toContain('part g1 changes the test file test/x.test.ts');
  });

  test('`draft-invalid` for a trace that no run reports, with the ids that it does report', async () => {
    const traces = [{ test: 'one', clauses: ['R1.a'] }];
    const { refused, said } = await draftedBy({
      script: mending({ ...goodWork, traces }, revision({ work: goodWork })),
    });
    expect(refused).toBeNull();
    expect(said(2)).toContain('traces "one"');
    expect(said(2)).toContain(`- ${ids.both}: passed`);
  });

  test('`statement-silent` with the names, and a plan that says them is enough', async () => {
    const work = {
      ...editing('joint = 0', 'joint = 12;\n\nexport const peekLeft = 1'),
      tests: [{ file: 'test/hidden.test.ts', text: 'expect(peekLeft).toBe(joint);\n' }],
    };
    const [first, second] = goodPlan.requirements;
    const plan = {
      ...goodPlan,
      requirements: [{ ...first, interface: ['the name `peekLeft`'] }, second],
    };
    const { refused, said, facts } = await draftedBy({
      script: mending(work, revision({ plan })),
    });
    expect(said(2)).toContain('Refused as `statement-silent`');
    expect(said(2)).toContain('- peekLeft');
    expect(refused).toBeNull();
    expect(Drafting.parse(facts.drafting)).toMatchObject({
      turns: [{}, { refused: { code: 'statement-silent' } }, { step: 'revise', refused: null }],
      precedents: [{ text: 'joint', path, line: 11 }],
    });
  });

  test('`gold-fails` with the tests that failed', async () => {
    const { refused, said } = await draftedBy({
      script: mending(editing('joint = 0', 'joint = 13'), revision({ work: goodWork })),
    });
    expect(said(2)).toContain('Refused as `gold-fails`');
    expect(said(2)).toContain(`- ${ids.both}: failed`);
    expect(refused).toBeNull();
  });

  test('`not-coupled` with the matrix', async () => {
    const play = playing((read) => ({ [ids.both]: says(holds(read, 'one = 1')) }));
    const { refused, said } = await draftedBy({
      play,
      script: { ...goodScript, 'draft:revise': Array(3).fill(revision({ work: goodWork })) },
    });
    expect(said(2)).toMatch(/Refused as `not-coupled`[\s\S]*- G .*=pass/);
    expect(refused).toMatchObject({
      code: 'not-coupled',
      detail: expect.stringContaining('after 3'),
    });
  });
});
