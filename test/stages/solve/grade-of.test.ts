import { expect, test } from 'vitest';
import type { Build } from '../../../schemas/attempt.ts';
import type { FaultCode } from '../../../schemas/fault-code.ts';
import type { Rollout } from '../../../schemas/rollout.ts';
import { gradeOfBuild, gradeOfFault, gradesOf } from '../../../stages/solve/grade-of.ts';
import { notBuilt } from '../../../stages/solve/judge-run.ts';

const build = (status: Build['status'], reason: string | null = null): Build => ({
  ...notBuilt,
  status,
  reason,
});

test.each([
  [build('true'), 'passed'],
  [build('false', 'build.id-failed: a'), 'failed'],
  [build('false', 'build.timeout'), 'failed'],
  [build('false', 'build.tampered: a: missing'), 'tampered'],
  [notBuilt, null],
])('a build is graded (%j)', (given, grade) => {
  expect(gradeOfBuild(given)).toBe(grade);
});

test.each<[FaultCode, string | null]>([
  ['run-ungradable', 'ungradable'],
  ['sandbox-lost', 'fault'],
  ['disk-full', 'fault'],
  ['run-deadline', 'fault'],
  ['model-unavailable', null],
  ['recording-missing', null],
])('the fault %s leaves the grade %s', (code, grade) => {
  expect(gradeOfFault(code)).toBe(grade);
});

test('what has no reward is counted apart from what failed', () => {
  const rollout = (parts: Partial<Rollout>) => ({ attempts: [], fault: null, ...parts }) as Rollout;
  const attempt = (given: Build) => ({ build: given }) as Rollout['attempts'][number];
  const counts = gradesOf([
    rollout({ attempts: [attempt(build('false', 'build.timeout')), attempt(build('true'))] }),
    rollout({ attempts: [attempt(notBuilt)] }),
    rollout({ fault: { code: 'run-ungradable', detail: '' } }),
    rollout({ fault: { code: 'sandbox-lost', detail: '' } }),
    rollout({ fault: { code: 'model-unavailable', detail: '' } }),
  ]);
  expect(counts).toEqual({ failed: 1, passed: 1, ungradable: 1, fault: 1 });
});
