import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { stopOnSignals, withoutSqliteWarning } from '../../../pipeline/host-process.ts';

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the first %s drains and says how to go on, the second leaves at once',
  (name) => {
    const source = new EventEmitter();
    const said: string[] = [];
    const left: number[] = [];
    const signal = stopOnSignals(
      source,
      (text) => said.push(text),
      (code) => left.push(code),
    );
    expect(signal.aborted).toBe(false);
    source.emit(name);
    expect(signal.aborted).toBe(true);
    expect(said.join('')).toMatch(/The same command goes on from here/);
    expect(left).toEqual([]);
    source.emit('SIGINT');
    expect(left).toEqual([130]);
    expect(said).toHaveLength(1);
  },
);

test('of all warnings only the one about SQLite is silent', () => {
  const passed: unknown[] = [];
  const warn = withoutSqliteWarning((...all) => passed.push(all));
  warn('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
  warn(new Error('SQLite is an experimental feature and might change at any time'));
  warn('buffer() is deprecated', 'DeprecationWarning');
  expect(passed).toEqual([['buffer() is deprecated', 'DeprecationWarning']]);
});
