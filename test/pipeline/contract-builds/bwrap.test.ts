/** @module-tag bwrap */
import { describe, expect, test } from 'vitest';
import { buildBench, codesOf, unittestBuild } from '../../support/contract-build.ts';
import { fPy, good, isolatedBuilds } from './isolated.ts';

const slug = 'tests/test_core.py > Core > test_slug';
const bench = buildBench('bwrap', {});

describe('a build in bwrap', () => isolatedBuilds(bench));

describe('B_C in bwrap', () => {
  test('writable folders are empty and fresh for each command unless they are shared', async () => {
    const write = {
      argv: ['/bin/sh', '-c', 'test -z "$(ls dist)" && echo x > dist/a'],
      timeout_s: 5,
    };
    const read = { argv: ['/bin/sh', '-c', 'test -f dist/a'], timeout_s: 5 };
    const build = (shared: boolean, commands: (typeof write)[]) => ({
      network: 'none' as const,
      writable: [{ path: 'dist', shared }],
      commands,
    });
    expect((await bench.build(fPy(good), build(false, [write, write]))).status).toBe('true');
    expect((await bench.build(fPy(good), build(true, [write, read]))).status).toBe('true');
    expect(codesOf(await bench.build(fPy(good), build(false, [write, read])))).toEqual([
      'build.exit',
    ]);
  });

  test('a target must be built in this run', async () => {
    const build = {
      network: 'none' as const,
      writable: [{ path: 'dist' }],
      commands: [{ argv: ['/bin/sh', '-c', 'echo x > dist/a'], timeout_s: 5 }],
    };
    const targets = (list: string[]) => ({ ...build, expect: { targets: list } });
    expect((await bench.build(fPy(good), targets(['dist/a']))).status).toBe('true');
    expect(codesOf(await bench.build(fPy(good), targets(['dist/b'])))).toEqual([
      'build.target-missing',
    ]);
    expect(codesOf(await bench.build(fPy(good), targets(['slug/core.py'])))).toEqual([
      'build.target-missing',
    ]);
  });

  test('hidden tests are laid over the candidate and are not its own', async () => {
    const hidden = new TextEncoder().encode(String(fPy(good)['tests/test_core.py']));
    const overlay = [{ path: 'tests/test_core.py', sha256: `sha256:${bench.ledger.put(hidden)}` }];
    const weak = fPy('    return 1\n', {
      'tests/test_core.py':
        'import unittest\nclass Core(unittest.TestCase):\n    def test_slug(self): pass\n',
    });
    expect((await bench.build(weak, unittestBuild())).status).toBe('true');
    expect(codesOf(await bench.build(weak, unittestBuild({ overlay })))).toEqual([
      'build.id-failed',
    ]);
  });

  test('all that passed on the baseline must pass, and no test may come or go', async () => {
    const baseline = (statuses: object) =>
      `sha256:${bench.ledger.put(new TextEncoder().encode(JSON.stringify(statuses)))}`;
    const expected = (statuses: object) =>
      unittestBuild({
        expect: {
          pass_to_pass: 'all-baseline',
          total: 'same',
          skipped: 'same',
          baseline: baseline(statuses),
        },
      });
    expect((await bench.build(fPy(good), expected({ [slug]: 'passed' }))).status).toBe('true');
    expect(
      codesOf(await bench.build(fPy(good), expected({ [slug]: 'passed', other: 'passed' }))),
    ).toEqual(['build.id-missing', 'build.total']);
    expect(codesOf(await bench.build(fPy(good), expected({ [slug]: 'skipped' })))).toEqual([
      'build.skipped',
    ]);
  });
});
