import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { toml } from '../../../stages/exporters/toml.ts';

test('what is written is what a TOML reader reads', () => {
  const value = {
    table: { text: 'a "quoted" \\ line\nbreak\u007f \u2028 é 😀', nested: { 'a.b': [1, 2] } },
    root: 'stands before the tables',
    list: [{ command: 'bash x', timeout_sec: 120 }],
  };
  expect(parse(toml(value))).toEqual(value);
});

test('a root key stands before the first table whatever its order', () => {
  expect(toml({ table: { a: 1 }, root: true })).toBe('root = true\n\n[table]\na = 1\n');
});

test('seconds are floats, counts are integers, and null is left out', () => {
  expect(toml({ timeout_sec: 9, cpus: 2, docker_image: null })).toBe(
    'timeout_sec = 9.0\ncpus = 2\n',
  );
});

test('a number that is not finite is refused', () => {
  expect(() => toml({ cpus: Number.NaN })).toThrow('cpus is not finite');
});
