import { describe, expect, test } from 'vitest';
import { solverPlaces } from '../../../pipeline/solver-boxes/places.ts';
import { parseManifest } from '../../../stages/contract/manifest.ts';
import { contractFor, type Files, keepFiles } from '../../support/contract-case.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

const files: Files = {
  'package.json': '{}',
  'src/a.ts': 'a',
  'src/b.ts': 'b',
  'src/in/c.ts': 'c',
  'src/in/deep/d.ts': 'd',
  'test/a.test.ts': 't',
  'docs/latest': ['link', 'v1'],
};
const whole = (file: string) => ({ file, whole_file: true as const });

function placesOf(parts: Parameters<typeof contractFor>[1], given = files) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, given);
  return solverPlaces(contractFor(base, parts), parseManifest(ledger.get(base)));
}

describe('the places of a solver', () => {
  test('the folder of an editable file is writable, and what stands beside it is closed', () => {
    expect(placesOf({ editable: [whole('src/a.ts')] })).toEqual({
      writable: ['src'],
      closed: ['src/b.ts', 'src/in'],
      loose: 0,
    });
  });

  test('a file that may go is not closed', () => {
    const places = placesOf({ editable: [whole('src/a.ts')], delete: ['src/in/c.ts'] });
    expect(places).toEqual({
      writable: ['src'],
      closed: ['src/b.ts', 'src/in/deep'],
      loose: 0,
    });
  });

  test('a glob across folders opens all of them, and closes each file that was there', () => {
    expect(placesOf({ create: [{ glob: 'src/**' }] })).toEqual({
      writable: ['src'],
      closed: ['src/a.ts', 'src/b.ts', 'src/in/c.ts', 'src/in/deep/d.ts'],
      loose: 0,
    });
  });

  test('a folder that is still to be made opens the nearest one above it', () => {
    expect(placesOf({ create: [{ glob: 'lib/new/*.ts' }] })).toEqual({
      writable: ['.'],
      closed: ['docs', 'package.json', 'src', 'test'],
      loose: 0,
    });
  });

  test('an open folder below a closed one is writable again', () => {
    const places = placesOf({ editable: [whole('src/in/deep/d.ts')], create: [{ glob: '*.md' }] });
    expect(places).toEqual({
      writable: ['.', 'src/in/deep'],
      closed: ['docs', 'package.json', 'src', 'test'],
      loose: 0,
    });
  });

  test('nothing that may change leaves nothing writable', () => {
    expect(placesOf({})).toEqual({ writable: [], closed: [], loose: 0 });
  });

  test('what would need too many mounts is counted and left to the check of the tree', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`src/f${at}.ts`, 'x'] as const),
    );
    const places = placesOf({ editable: [whole('src/f0.ts')] }, many);
    expect([places?.closed.length, places?.loose]).toEqual([400, 99]);
  });

  test('under `measure` nothing is held', () => {
    expect(placesOf({ order: 'measure' })).toBeNull();
  });
});
