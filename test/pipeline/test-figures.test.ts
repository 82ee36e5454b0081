import { expect, test } from 'vitest';
import { describeFigures, testFigures } from '../../pipeline/test-figures.ts';
import type { TestRunRequest } from '../../schemas/test-run.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { requestFor, resultFor, specFor } from '../support/test-run.ts';

const ran = (parts: Partial<TestRunRequest>, durationMs: number, seq: number) => {
  const request = requestFor(specFor('node-test'), parts);
  const result = { ...resultFor('completed', {}), durationMs };
  const body = { request, result };
  return { seq, at: 0, kind: 'tests-ran' as const, record: null, key: `${seq}`, body };
};

test('runs, trees and seconds are counted over all that a run folder holds', () => {
  const events = [
    ran({}, 1500, 1),
    ran({ repeat: 1 }, 250, 2),
    ran({ tree: sha256('other'), probed: true }, 300, 3),
  ];
  const figures = testFigures({ events: () => events });
  expect(figures).toEqual({ runs: 3, trees: 2, seconds: 2.1, probed: 1 });
  expect(describeFigures(figures)).toBe(
    'tests: 3 runs of 2 trees, 2.1 s in their boxes, 1 with probes',
  );
});
