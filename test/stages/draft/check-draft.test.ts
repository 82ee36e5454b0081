import { describe, expect, test } from 'vitest';
import { checkDraft } from '../../../stages/draft/check-draft.ts';
import { checkStatement } from '../../../stages/draft/check-statement.ts';

const requirement = (id: string, quote = 'must hold') => ({
  id,
  title: id,
  clauses: [
    { id: `${id}.a`, text: 'It must hold.', quotes: [{ doc: 'thread:1', quote, seed: 's' }] },
  ],
  seeds: ['s'],
  interface: [],
});
const edge = (from: string, to: string) => ({ from, to, kind: 'requires' as const, text: '' });
const sound = {
  requirements: [requirement('R1'), requirement('R2')],
  couplings: [edge('R1', 'R2')],
  parts: [
    { id: 'g1', needs: ['R1'] },
    { id: 'g2', needs: ['R2'] },
    { id: 'g12', needs: ['R1', 'R2'] },
  ],
  traces: [{ test: 't', clauses: ['R1.a'] }],
  files: ['test/a.test.ts'],
};
const docOf = (doc: string) => (doc === 'thread:1' ? 'Both must hold at once.' : null);

describe('gate 1', () => {
  test('lets a sound draft through', () => {
    expect(checkDraft(sound, docOf)).toBeNull();
  });

  test.each<[string, Partial<typeof sound>, string]>([
    [
      'a coupling to nobody',
      { couplings: [edge('R1', 'R9')] },
      'coupling R1-R9 names R9, which does not exist',
    ],
    [
      'a coupling to itself',
      { couplings: [{ ...edge('R1', 'R1'), kind: 'requires' }] },
      'R1 is coupled to itself',
    ],
    [
      'a circle of two',
      { couplings: [edge('R1', 'R2'), edge('R2', 'R1')] },
      '"requires" leads from R1 back to R1',
    ],
    [
      'a part for nobody',
      { parts: [...sound.parts, { id: 'g3', needs: ['R3'] }] },
      'part g3 names R3, which does not exist',
    ],
    [
      'a requirement without a part of its own',
      { parts: sound.parts.slice(1) },
      'R1 has no gold part of its own',
    ],
    [
      'numbers with a gap',
      { requirements: [requirement('R1'), requirement('R3')] },
      'requirements are R1, R3, expected R1, R2',
    ],
    [
      'a trace to no clause',
      { traces: [{ test: 't', clauses: ['R1.z'] }] },
      'trace of "t" names R1.z, which does not exist',
    ],
    ['no test file', { files: [] }, 'no test file that the runner can be given'],
    [
      'a quote that is not there',
      { requirements: [requirement('R1', 'must  hold'), requirement('R2')] },
      'R1.a quotes "must  hold", which does not stand in thread:1',
    ],
  ])('refuses %s', (_, change, problem) => {
    const refusal = checkDraft({ ...sound, ...change }, docOf);
    expect(refusal?.code).toBe('draft-invalid');
    expect(refusal?.evidence).toContain(problem);
  });

  test('refuses a quote from a text that nobody has', () => {
    expect(checkDraft(sound, () => null)?.evidence).toHaveLength(2);
  });

  test('a circle over three requirements is found, an edge of another kind closes none', () => {
    const three = { ...sound, requirements: ['R1', 'R2', 'R3'].map((id) => requirement(id)) };
    const parts = [...sound.parts, { id: 'g3', needs: ['R3'] }];
    const couplings = [edge('R1', 'R2'), edge('R2', 'R3'), edge('R3', 'R1')];
    expect(checkDraft({ ...three, parts, couplings }, docOf)?.evidence).toHaveLength(3);
    const open = [...couplings.slice(0, 2), { ...edge('R3', 'R1'), kind: 'constrains' as const }];
    expect(checkDraft({ ...three, parts, couplings: open as typeof couplings }, docOf)).toBeNull();
  });

  test('tells every problem at once, the first one in its line', () => {
    const refusal = checkDraft({ ...sound, files: [], couplings: [edge('R7', 'R8')] }, docOf);
    expect(refusal?.detail).toBe('coupling R7-R8 names R7, which does not exist');
    expect(refusal?.evidence).toHaveLength(3);
  });
});

describe('gate 2', () => {
  const facts = {
    statement: 'Taking from an empty bucket must fail with "none left".',
    pins: { names: [], literals: ['None  left'] },
    internal: ['spareTokens', 'clamp'],
    commits: ['abcdef0123456789', ''],
    testNames: ['test_empty', 'refuses when nothing at all remains', 'test/empty.test.ts'],
  };

  test('lets a statement through that says what is pinned, in its own blanks and capitals', () => {
    expect(checkStatement(facts)).toBeNull();
  });

  test.each([
    ['a hash of the fix', 'See abcdef0 for this.', 'abcdef0'],
    ['a name that only gold knows', 'Count spareTokens first.', 'spareTokens'],
    ['the name of a test', 'It is what test_empty checks.', 'test_empty'],
    [
      'the title of a test',
      'It Refuses when nothing at all  remains.',
      'refuses when nothing at all remains',
    ],
    ['the place of a test', 'Look into test/empty.test.ts for more.', 'test/empty.test.ts'],
  ])('refuses %s', (_, sentence, leak) => {
    const refusal = checkStatement({ ...facts, statement: `${facts.statement} ${sentence}` });
    expect(refusal).toMatchObject({ code: 'statement-leak', evidence: [leak] });
  });

  test('an ordinary word, another commit and part of a word give nothing away', () => {
    const statement = `${facts.statement} Please clamp 1234567 and respareTokens.`;
    expect(checkStatement({ ...facts, statement })).toBeNull();
  });

  test('refuses to be silent on a name or a message that a test pins', () => {
    const pins = { names: ['peekLeft'], literals: ['gone'] };
    expect(checkStatement({ ...facts, pins })).toMatchObject({
      code: 'statement-silent',
      evidence: ['peekLeft', 'gone'],
    });
  });
});
