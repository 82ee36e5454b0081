import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  baselineOf,
  reportReasons,
  statusesOf,
} from '../../../pipeline/contract-builds/expectations.ts';
import { pinned } from '../../../pipeline/contract-builds/pinned.ts';
import type { Contract } from '../../../schemas/contract.ts';
import { contractFor } from '../../support/contract-case.ts';

type Build = Exclude<z.input<typeof Contract>['build'], 'unpinned' | undefined>;
const digest = `sha256:${'0'.repeat(64)}`;

const buildOf = (expected: Build['expect'] = {}, more: Partial<Build> = {}) =>
  contractFor('0'.repeat(64), {
    build: {
      network: 'none',
      commands: [{ argv: ['python3', '{reporter}', '{report}', 'a'] }],
      report: { kind: 'unittest' },
      expect: expected,
      ...more,
    },
  });

const codes = (
  expected: Build['expect'],
  statuses: Record<string, string>,
  { code = 0, baseline = {} }: { code?: number | null; baseline?: Record<string, string> } = {},
) => {
  const build = pinned(buildOf(expected && { baseline: digest, ...expected }), 'bwrap');
  return reportReasons(build, new Map(Object.entries(statuses)), code, baseline).map(
    (reason) => reason.code,
  );
};

describe('expected ids', () => {
  test.each([
    ['passed', 0, []],
    ['failed', 1, ['build.id-failed']],
    ['error', 1, ['build.id-failed']],
    ['skipped', 0, ['build.id-skipped']],
    ['expected-failure', 0, ['build.id-failed']],
    ['unexpected-pass', 0, ['build.id-failed']],
    ['flaky', 0, ['build.id-failed']],
    ['absent', 0, ['build.id-missing']],
  ])('only literally passed is passed, so %s with exit %i gives %j', (status, code, wanted) => {
    expect(codes({ fail_to_pass: ['a'] }, { a: status }, { code })).toEqual(wanted);
  });

  test('an id that was collected and never run is missing, also where nobody expects it', () => {
    const statuses = { a: 'passed', b: 'absent' };
    expect(codes({ fail_to_pass: ['a'] }, statuses)).toEqual(['build.id-missing']);
  });

  test('an id that is not there is missing, and named', () => {
    expect(codes({ fail_to_pass: ['a', 'b'] }, { a: 'passed' })).toEqual(['build.id-missing']);
  });

  test('all of the baseline are those that passed there and are not flaky', () => {
    const baseline = { a: 'passed', b: 'failed', c: 'passed' };
    const expected: Build['expect'] = { pass_to_pass: 'all-baseline', flaky: ['c'] };
    expect(codes(expected, { a: 'passed' }, { baseline })).toEqual([]);
    expect(codes(expected, { b: 'passed', c: 'passed' }, { baseline })).toEqual([
      'build.id-missing',
    ]);
  });
});

describe('the exit status of the runner beside its report', () => {
  const expected = { fail_to_pass: ['a'] };

  test('a bad end without a failed test is believed', () => {
    expect(codes(expected, { a: 'passed' }, { code: 3 })).toEqual(['build.exit']);
    expect(codes(expected, { a: 'passed' }, { code: null })).toEqual(['build.exit']);
  });

  test('a good end beside a failed test contradicts it', () => {
    expect(codes(expected, { a: 'passed', b: 'failed' })).toEqual(['build.report-conflict']);
    expect(codes(expected, { a: 'failed' })).toEqual(['build.id-failed', 'build.report-conflict']);
  });

  test('a test that nobody expects and that fails alone is a wrong end', () => {
    expect(codes(expected, { a: 'passed', b: 'failed' }, { code: 1 })).toEqual(['build.exit']);
  });

  test('what failed on the reference too, or is known as flaky, may fail the runner', () => {
    const baseline = { a: 'failed', b: 'failed' };
    const statuses = { a: 'passed', b: 'failed' };
    expect(codes(expected, statuses, { code: 1, baseline })).toEqual([]);
    expect(codes({ ...expected, flaky: ['b'] }, statuses, { code: 1 })).toEqual([]);
  });

  test('what was to be mended is no excuse', () => {
    const expect_ = { fail_to_pass: ['a'], pass_to_pass: ['b'] };
    const statuses = { a: 'failed', b: 'passed' };
    expect(codes(expect_, statuses, { code: 1, baseline: { a: 'failed' } })).toEqual([
      'build.id-failed',
    ]);
  });
});

test('total and skipped ids are those of the baseline', () => {
  const expected = { total: 'same', skipped: 'same' } as const;
  const baseline = { a: 'passed', b: 'skipped' };
  expect(codes(expected, { a: 'passed', b: 'skipped' }, { baseline })).toEqual([]);
  expect(codes(expected, { a: 'skipped', b: 'passed' }, { baseline })).toEqual(['build.skipped']);
  expect(codes(expected, { b: 'skipped' }, { baseline })).toEqual(['build.total']);
});

describe('a report that is evidence of nothing', () => {
  const result = { id: 'a', file: 'a', line: null, status: 'passed', message: null } as const;
  const report = { runner: 'unittest', complete: true, results: [result] } as const;

  test('has two results for one id, or no end', () => {
    expect(statusesOf({ ...report, results: [result, result] }, true)).toMatchObject({
      code: 'build.report-conflict',
    });
    expect(statusesOf({ ...report, results: [], complete: false }, false)).toMatchObject({
      code: 'build.report-incomplete',
    });
    expect(statusesOf({ ...report, results: [result] }, true)).toEqual(new Map([['a', 'passed']]));
  });
});

test('a recorded baseline that is none is a fault and no verdict', () => {
  const build = pinned(buildOf({ baseline: digest, total: 'same' }), 'bwrap');
  const get = (text: string) => ({ get: () => new TextEncoder().encode(text) });
  expect(baselineOf(build, get('{"a":"passed"}'))).toEqual({ a: 'passed' });
  for (const text of ['', '[]', '{"a":1}'])
    expect(() => baselineOf(build, get(text))).toThrow(/no record of statuses/u);
});

describe('a build that cannot be done as it is written is refused before anything runs', () => {
  const one = { fail_to_pass: ['a'] };
  const commands = [{ argv: ['true'] }];
  test.each<[string, Build['expect'], Partial<Build>]>([
    ['theories', { ...one, theories: ['T'] }, {}],
    ['channel: file', one, { report: { kind: 'unittest', channel: 'file' } }],
    ['channel: split', one, { report: { kind: 'unittest', channel: 'split' } }],
    ['build.image in bwrap', one, { image: digest }],
    ['cpus in bwrap', one, { resources: { cpus: 1 } }],
    ['workdir', one, { workdir: '/repo' }],
    ['mounts', one, { tree: 'rw', mounts: [{ path: 'x', manifest: digest }] }],
    ['no build.report', one, { report: undefined, commands }],
    ['0 commands with "{report}"', one, { commands }],
    ['2 commands', one, { commands: [{ argv: ['{report}'] }, { argv: ['{report}'] }] }],
    ['expects none', {}, {}],
    ['no expect.baseline', { pass_to_pass: 'all-baseline' }, {}],
    ['no expect.baseline', { total: 'same' }, {}],
    ['nests', one, { writable: [{ path: 'a' }, { path: 'a/b' }] }],
  ])('%s', (words, expected, more) => {
    expect(() => pinned(buildOf(expected, more), 'bwrap')).toThrow(words);
    expect(() => pinned(buildOf(one), 'bwrap')).not.toThrow();
  });

  test('limits in a sandbox that holds nobody to any', () => {
    const build = buildOf(one, { resources: { memory_mb: 64 } });
    expect(() => pinned(build, 'process')).toThrow('resources in process');
    expect(() => pinned(build, 'bwrap')).not.toThrow();
  });
});
