import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ReleaseInput } from '../../../schemas/release-input.ts';
import { Verdict } from '../../../schemas/verdict.ts';
import { bench } from '../../../stages/exporters/bench.ts';
import { harbor } from '../../../stages/exporters/harbor.ts';
import { releaseOptions } from '../../support/release.ts';
import { buildStory } from '../../support/story.ts';
import { verdictOf } from '../../support/story-history.ts';

const scratch = mkdtempSync(join(tmpdir(), 'check-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const { input } = await buildStory(scratch);
const options = releaseOptions();
const codes = (changed: ReleaseInput, given = options) =>
  bench.check(changed, given).map(({ code }) => code);

const withGroups = (ids: string[]): ReleaseInput => {
  const groups = input.instance.groups.map((group) =>
    group.kind === 'regression' ? group : { ...group, ids },
  );
  return { ...input, instance: { ...input.instance, groups } };
};
const unlicensed: ReleaseInput = { ...input, source: { ...input.source, licence: null } };
const open = { ...input, verdicts: [Verdict.parse(verdictOf('v9', 'false-positive'))] };
const [firstControl] = input.instance.controls;
const failedControl: ReleaseInput = {
  ...input,
  instance: {
    ...input.instance,
    controls: [{ name: 'gold', expected: 'valid-success', outcome: 'safe-failure' }],
  },
};

test('a sound task is refused by no format', () => {
  expect(firstControl).toBeDefined();
  expect(codes(input)).toEqual([]);
});

test.each([
  ['without a licence', unlicensed, 'licence-missing'],
  ['with an open verdict', open, 'misaligned-open'],
  ['without a test to pass', withGroups([]), 'no-fail-to-pass'],
  ['with a test id of two lines', withGroups(['a > b\nc']), 'id-illegal'],
  ['with an open bracket in a test id', withGroups(['a > b[']), 'id-illegal'],
  [
    'whose name is no container name',
    { ...input, task: { ...input.task, id: 'a..b' } },
    'id-illegal',
  ],
  ['whose gold control failed', failedControl, 'gold-not-valid'],
  [
    'with a patch that is no text',
    { ...input, patches: { ...input.patches, gold: { base64: 'gA==' } } },
    'patch-not-text',
  ],
] as const)('a task %s is refused', (_, changed, code) => {
  expect(codes(changed)).toEqual([code]);
});

test('an answered verdict is no open one', () => {
  const answered = { ...open, kept: { ...input.kept, answered: open.verdicts } };
  expect(codes(answered)).toEqual([]);
});

test('a licence may be missing where the export is allowed to', () => {
  expect(codes(unlicensed, releaseOptions({ allowNoLicence: true }))).toEqual([]);
});

test('a release of pinned images refuses a task without one', () => {
  expect(codes(input, releaseOptions({ requirePinned: true }))).toEqual(['image-unpinned']);
});

test('a target declaration is refused, since a release carries no grammar to look for it', () => {
  const target = { declarations: [{ file: 'src/a.ts', kind: 'function', name: 'a' }] };
  const contract = { ...input.task.contract, target };
  expect(codes({ ...input, task: { ...input.task, contract } }, options)).toEqual([
    'contract-needs-grammar',
  ]);
});

test('a grader that no row can hold is refused', () => {
  const big = { path: 'big', bytes: new Uint8Array(800_000) };
  const { assets } = options;
  const large = releaseOptions({ assets: { ...assets, grader: [...assets.grader, big] } });
  expect(codes(input, large)).toEqual(['grader-too-large']);
});

test('an instruction that Harbor would strip is refused by its format alone', () => {
  const statement = '# The canary of the mine\n\nIt sings.\n';
  const task = { ...input.task, statement };
  expect(codes({ ...input, task })).toEqual([]);
  const [refused] = harbor.check({ ...input, task }, options);
  expect(refused?.code).toBe('instruction-starts-like-canary');
});
