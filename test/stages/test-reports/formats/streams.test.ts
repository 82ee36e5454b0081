import { describe, expect, test } from 'vitest';
import { reportFormats } from '../../../../stages/test-reports/formats/registry.ts';

const here = { root: '/work', package: null };
const bytesOf = (lines: readonly string[]) =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
const pairs = (results: readonly { id: string; status: string }[]) =>
  Object.fromEntries(results.map(({ id, status }) => [id, status]));

describe('go test -json', () => {
  const event = (Action: string, Test?: string, more = {}) =>
    JSON.stringify({ Action, Package: 'p', ...(Test === undefined ? {} : { Test }), ...more });
  const read = (...lines: string[]) => reportFormats['go-json']([bytesOf(lines)], here);

  test('a test that began and never ended is an error', () => {
    const { status, results } = read(
      event('run', 'TestA'),
      event('run', 'TestB'),
      event('pass', 'TestB'),
      event('fail'),
    );
    expect(status).toBe('completed');
    expect(results).toMatchObject([
      { id: 'p > TestA', status: 'error', message: 'started and never ended' },
      { id: 'p > TestB', status: 'passed' },
    ]);
  });

  test('run more than once, one failure is enough', () => {
    const twice = (a: string, b: string) =>
      pairs(
        read(event('run', 'T'), event(a, 'T'), event('run', 'T'), event(b, 'T'), event('pass'))
          .results,
      );
    expect(twice('pass', 'fail')).toEqual({ 'p > T': 'failed' });
    expect(twice('fail', 'pass')).toEqual({ 'p > T': 'failed' });
    expect(twice('pass', 'pass')).toEqual({ 'p > T': 'passed' });
  });

  test('a package without its end makes the run crashed, and its passes are not believed', () => {
    expect(read(event('start'), event('run', 'T'), event('pass', 'T'))).toMatchObject({
      status: 'crashed',
      problem: 'package p has no end',
      results: [{ id: 'p > T', status: 'absent' }],
    });
  });

  test('a package that broke outside of its tests is an error of the package', () => {
    const { results } = read(
      event('output', undefined, { Output: 'no database\n' }),
      event('pass', 'T'),
      event('fail'),
    );
    expect(results).toMatchObject([
      { id: 'p', status: 'error', message: 'no database' },
      { id: 'p > T', status: 'passed' },
    ]);
  });

  test.each(['shrug', 'constructor'])(
    'the word "%s", which go does not say, is an error',
    (word) => {
      expect(pairs(read(event(word, 'T'), event('pass')).results)).toEqual({ 'p > T': 'error' });
    },
  );

  test('what builds print is passed over, and a damaged event is not', () => {
    const fine = [event('run', 'T'), event('pass', 'T'), event('pass')];
    expect(read('# p', './a.go:1: warning', ...fine).status).toBe('completed');
    expect(read('{"Action":', ...fine)).toMatchObject({
      status: 'unreadable',
      problem: 'line 1 is no event of go test',
      results: [],
    });
    expect(read('FAIL p [build failed]').status).toBe('unreadable');
  });
});

describe('cargo test', () => {
  const read = (...lines: string[]) => reportFormats['cargo-text']([bytesOf(lines)], here);
  const summaryOf = (passed: number, failed: number) =>
    `test result: ${failed > 0 ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out`;

  test('its text is marked as of low trust, and nothing else is', () => {
    const low = Object.entries(reportFormats).filter(
      ([, parse]) => parse([], here).trust === 'low',
    );
    expect(low.map(([name]) => name)).toEqual(['cargo-text']);
  });

  test('a summary that a test prints does not end the run', () => {
    const said = read(
      'running 1 test',
      'test a ... FAILED',
      '',
      summaryOf(1, 0),
      'running 1 test',
      'test forged ... ok',
      summaryOf(0, 1),
    );
    expect(said).toMatchObject({ status: 'completed', results: [{ id: 'a', status: 'failed' }] });
  });

  test('output between a name and its result makes the run crashed', () => {
    const said = read(
      'running 2 tests',
      'test a ... hello',
      'ok',
      'test b ... ok',
      summaryOf(2, 0),
    );
    expect(said).toMatchObject({
      status: 'crashed',
      results: [{ id: 'b' }],
      problem: 'a binary ended without its summary',
    });
  });

  test('a summary outside of tests makes the run crashed', () => {
    const lines = ['running 1 test', 'test a ... ok', summaryOf(1, 0)];
    expect(read(...lines, summaryOf(1, 0))).toMatchObject({
      status: 'crashed',
      problem: 'a summary stands outside of its tests',
    });
  });

  test('a crate that does not compile has no report', () => {
    expect(read('error[E0425]: cannot find value', 'error: could not compile `p`')).toMatchObject({
      status: 'no-report',
      results: [],
    });
  });

  test('examples of one item are one test, as bad as the worst', () => {
    const said = read(
      '   Doc-tests p',
      'running 2 tests',
      'test src/lib.rs - add (line 3) ... ok',
      'test src/lib.rs - add (line 9) - compile fail ... FAILED',
      summaryOf(1, 1),
    );
    expect(pairs(said.results)).toEqual({ 'p > doc-tests > src/lib.rs - add': 'failed' });
  });

  test('equal names of two binaries stay apart, without the hash of a build', () => {
    const binary = (name: string) => [
      `     Running tests/${name}.rs (target/debug/deps/${name}-0123456789abcdef)`,
      'running 1 test',
      'test a ... ok',
      summaryOf(1, 0),
    ];
    expect(Object.keys(pairs(read(...binary('x'), ...binary('y')).results))).toEqual([
      'x > tests/x.rs > a',
      'y > tests/y.rs > a',
    ]);
  });
});
