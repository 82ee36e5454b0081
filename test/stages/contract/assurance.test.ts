import { describe, expect, test } from 'vitest';
import type { ContractBuild } from '../../../schemas/contract-build.ts';
import type { Conjuncts } from '../../../schemas/contract-report.ts';
import { assuranceLine, assuranceOf, checkedLevel } from '../../../stages/contract/assurance.ts';
import { contractFor } from '../../support/contract-case.ts';

const base = '0'.repeat(64);
const whole = contractFor(base, {
  editable: [{ file: 'a.ts', whole_file: true }],
  forbidden: { packs: ['ts/exit'] },
});
const regional = contractFor(base, {
  editable: [{ file: 'a.ts', region: { start: 'A', end: 'B' } }],
  forbidden: { packs: ['ts/exit'] },
});
const prover = contractFor(base, {
  editable: [{ file: 'a.v', region: { start: 'A', end: 'B' } }],
  forbidden: { packs: ['ts/exit'] },
  semantic: { rocq: { recheck: 'coqchk' } },
});
const noPack = contractFor(base, { editable: [{ file: 'a.ts', whole_file: true }] });

const kept: Conjuncts = {
  tree: true,
  projection: true,
  region: true,
  text: true,
  target: true,
  frameLexical: true,
  frameSyntactic: true,
  regionKind: true,
  forbidden: true,
  statement: null,
};
const frameless = { ...kept, frameLexical: null, frameSyntactic: null, regionKind: null };

const built: ContractBuild = {
  status: 'true',
  reasons: [],
  sandbox: 'bwrap',
  image: null,
  tool: null,
  commands: [],
  preManifest: base,
  postManifest: base,
  results: [],
  streamBlob: null,
  logRawBlob: null,
  logNormalisedBlob: null,
  normaliser: 1,
  reportChannel: 'stream',
  audit: null,
};
const audit = { axioms: [], recheck: 'passed' as const };
const line = (...given: Parameters<typeof assuranceOf>) => assuranceLine(assuranceOf(...given));

describe('the level is the highest for which all lower ones hold', () => {
  test.each<[string, Partial<Conjuncts>, string]>([
    ['tree', { tree: false }, 'none'],
    ['projection', { projection: false }, 'none'],
    ['region', { region: false }, 'none'],
    ['target', { target: false }, 'none'],
    ['text', { text: false }, 'L0'],
    ['frameLexical', { frameLexical: false }, 'L1'],
    ['frameSyntactic', { frameSyntactic: false }, 'L2'],
    ['regionKind', { regionKind: false }, 'L2'],
    ['forbidden', { forbidden: false }, 'L3'],
  ])('a broken %s ends it there', (_, broken, level) => {
    const { level: reached } = assuranceOf(regional, { ...kept, ...broken }, null);
    expect(reached ?? 'none').toBe(level);
  });

  test('nothing is claimed above broken bytes', () => {
    expect(assuranceOf(regional, { ...kept, projection: false }, null).extra).toEqual([]);
  });

  test('levels above the first gap are listed apart', () => {
    expect(line(regional, { ...kept, text: false }, null)).toBe(
      'L0 (+L2 +L3 +L4; L5 missing: not built; L6 missing: not defined for code)',
    );
  });
});

describe('what was not looked at is said', () => {
  test('whole files have no frame to hold', () => {
    expect(checkedLevel(whole)).toBe(
      'L4 (L5 missing: not built; L6 missing: not defined for code; L2, L3 vacuous: whole files)',
    );
  });

  test('a region without frames has a gap, not a vacuous pass', () => {
    expect(line(regional, frameless, null)).toBe(
      'L1 (+L4; L2, L3 missing: no frame asked for; L5 missing: not built; L6 missing: not defined for code)',
    );
  });

  test('one of the two halves of the syntactic level is enough to speak of it', () => {
    const half = { ...kept, regionKind: null };
    expect(assuranceOf(regional, half, null).level).toBe('L4');
    expect(assuranceOf(regional, { ...half, frameSyntactic: false }, null).level).toBe('L2');
    expect(assuranceOf(regional, { ...kept, frameSyntactic: null }, null).level).toBe('L4');
  });

  test('no pack is a gap', () => {
    expect(checkedLevel(noPack)).toContain('L4 missing: no pack chosen');
    expect(assuranceOf(noPack, frameless, null).level).toBe('L3');
  });

  test('what an earlier conjunct left open is not evaluated', () => {
    const open = { ...kept, text: null, forbidden: null };
    const { missing } = assuranceOf(regional, open, null);
    expect(missing.slice(0, 2)).toEqual([
      { level: 'L1', why: 'not evaluated' },
      { level: 'L4', why: 'not evaluated' },
    ]);
  });

  test('a region that is kept reaches L4 before a build', () => {
    expect(checkedLevel(regional)).toBe(
      'L4 (L5 missing: not built; L6 missing: not defined for code)',
    );
  });
});

describe('a build adds isolation, a prover its audit', () => {
  test('an isolated build with its report out of reach is L5', () => {
    expect(line(regional, kept, built)).toBe(
      'L5 (L6 missing: not defined for code) · report stream',
    );
  });

  test.each<[string, Partial<ContractBuild>, string]>([
    ['was not run', { status: 'not-run', reportChannel: null }, 'L5 missing: not built'],
    [
      'ran without isolation',
      { sandbox: 'process' },
      'L5 missing: sandbox process isolates nothing',
    ],
    [
      'has its report in reach',
      { reportChannel: 'file' },
      'L5 missing: report in reach of the candidate',
    ],
  ])('a build that %s gives no L5', (_, parts, why) => {
    const build = { ...built, ...parts };
    expect(assuranceOf(regional, kept, build).level).toBe('L4');
    expect(line(regional, kept, build)).toContain(why);
  });

  test('a build that failed gives no L5 and is not called missing', () => {
    const failed = assuranceOf(regional, kept, { ...built, status: 'false' });
    expect([failed.level, failed.missing.map(({ level }) => level)]).toEqual(['L4', ['L6']]);
  });

  test('a prover reaches L6 with a sound audit and an equal statement', () => {
    const sound = { ...built, audit };
    expect(assuranceOf(prover, { ...kept, statement: true }, sound).level).toBe('L6');
    expect(assuranceOf(prover, { ...kept, statement: false }, sound).level).toBe('L5');
    expect(
      assuranceOf(prover, { ...kept, statement: true }, { ...sound, status: 'false' }).level,
    ).toBe('L4');
  });

  test.each<[string, Partial<ContractBuild> | null, boolean | null]>([
    ['nothing built', null, true],
    ['no audit', { audit: null }, true],
    ['no statement', { audit }, null],
  ])('a prover with %s has no L6', (_, parts, statement) => {
    const build = parts === null ? null : { ...built, ...parts };
    const { missing } = assuranceOf(prover, { ...kept, statement }, build);
    expect(missing).toContainEqual({ level: 'L6', why: 'no audit' });
  });
});
