import { describe, expect, test } from 'vitest';
import { nodeTest } from '../../../stages/test-reports/node-test.ts';
import { sealedReport, soundRecords } from '../../support/sealed-report.ts';

const sound: Record<string, unknown>[] = soundRecords('node-test', 'passed', 'failed');
const read = (records: readonly Record<string, unknown>[]) =>
  nodeTest.parse(sealedReport('nonce', records), 'nonce');
const at = (place: number): Record<string, unknown> => ({ ...sound[place] });

test('a sound stream is a complete report, sorted by id', () => {
  const report = read([at(0), at(2), at(1), at(3)]);
  expect(report?.complete).toBe(true);
  expect(report?.results.map(({ id }) => id)).toEqual(['a.test > failed 1', 'a.test > passed 0']);
});

describe('the stream is incomplete', () => {
  test('without its end', () => {
    const report = read([at(0), at(1)]);
    expect(report).toMatchObject({ complete: false, results: [{ status: 'passed' }] });
  });

  test('when its last line is cut', () => {
    const bytes = sealedReport('nonce', sound);
    expect(nodeTest.parse(bytes.subarray(0, -9), 'nonce')).toMatchObject({ complete: false });
  });

  test('and names the test that it stopped in', () => {
    const started = { type: 'start', id: 'a.test > hangs' };
    const report = read([at(0), at(1), started]);
    expect(report).toMatchObject({ complete: false });
    expect(report?.results[0]).toMatchObject({ id: 'a.test > hangs', status: 'absent' });
  });

  test('when a collected test never ran, though the runner says it ended', () => {
    const collected = { type: 'collect', id: 'a.test > left out' };
    expect(read([at(0), collected, at(1), { type: 'end', results: 1 }])?.complete).toBe(false);
  });
});

describe('the stream is unreadable', () => {
  test.each<[string, readonly Record<string, unknown>[]]>([
    ['empty', []],
    ['without hello', [at(1), at(3)]],
    ['with hello twice', [at(0), at(0), at(3)]],
    ['with a number left out', [at(0), { ...at(1), n: 2 }]],
    ['with a wrong count at its end', [at(0), at(1), at(3)]],
    ['with a record after its end', [...sound, at(1)]],
    ['with one id twice', [at(0), at(1), at(1)]],
    ['with a start after the result', [at(0), at(1), { type: 'start', id: at(1).id }]],
    ['with an unknown status', [at(0), { ...at(1), status: 'fine' }]],
    ['with an unknown field', [at(0), { ...at(1), trust: true }]],
    ['with an id of another file', [at(0), { ...at(1), file: 'b.test' }]],
    ['with an id that no rule would write', [at(0), { ...at(1), id: 'a.test > x (1 ms)' }]],
  ])('%s', (_, records) => {
    expect(read(records)).toBeNull();
  });

  test('under another nonce', () => {
    expect(nodeTest.parse(sealedReport('guess', sound), 'nonce')).toBeNull();
  });

  test('when a line was taken out', () => {
    const lines = sealedReport('nonce', sound).toString().split('\n');
    const bytes = Buffer.from(lines.toSpliced(2, 1).join('\n'));
    expect(nodeTest.parse(bytes, 'nonce')).toBeNull();
  });

  test('when somebody added to it', () => {
    const bytes = Buffer.concat([sealedReport('nonce', sound), Buffer.from('more')]);
    expect(nodeTest.parse(bytes, 'nonce')).toBeNull();
  });

  test('when it is something else altogether', () => {
    expect(nodeTest.parse(Buffer.from('ok 1 - fine\n# pass 1\n'), 'nonce')).toBeNull();
    expect(nodeTest.parse(Buffer.alloc(1000, 0xff), 'nonce')).toBeNull();
  });
});
