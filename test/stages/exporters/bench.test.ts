import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { boxEnv } from '../../../pipeline/sandboxes/host/pins.ts';
import { BenchRow } from '../../../schemas/bench-row.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { auditText } from '../../../stages/exporters/audit.ts';
import { bench } from '../../../stages/exporters/bench.ts';
import { pinnedEnv } from '../../../stages/exporters/bundle.ts';
import { releaseOptions } from '../../support/release.ts';
import { buildStory } from '../../support/story.ts';

const scratch = mkdtempSync(join(tmpdir(), 'bench-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const { input } = await buildStory(scratch);
const [file] = bench.files([input], releaseOptions());
const text = new TextDecoder().decode(file?.bytes);
const row = BenchRow.parse(JSON.parse(text));

test('a row is one ASCII line, although its statement is not ASCII', () => {
  expect(file?.path).toBe('data/test.jsonl');
  expect(text).toMatch(/^[\x20-\x7e]+\n$/);
  expect(row.problem_statement).toContain('–');
});

test('a coupling carries the level that was proved', () => {
  expect(row.couplings).toMatchObject([{ id: 'R1-R2-constrains', level: 3, directed: false }]);
});

test('the lists of the groups unite to the classic columns', () => {
  const failing = row.test_groups.flatMap(({ fail_to_pass }) => fail_to_pass);
  const passing = row.test_groups.flatMap(({ pass_to_pass }) => pass_to_pass);
  expect(failing.toSorted()).toEqual(row.FAIL_TO_PASS);
  expect(passing).toEqual(row.PASS_TO_PASS);
  expect(row.PASS_TO_PASS.at(-1)).toBe('contract > conforms');
});

test('the matrix holds every subset against every group', () => {
  expect(row.matrix).toHaveLength(16);
  const gold = row.matrix.filter(({ applied }) => applied.length === 2);
  expect(gold.every(({ verdict, runs }) => verdict === 'pass' && runs === 3)).toBe(true);
});

test('what is unknown of an entrant is null, never 0', () => {
  expect(row.panel).toMatchObject([
    {
      model: 'alpha',
      rollouts: 2,
      valid_success: 1,
      tokens: 240,
      cost_usd: 0.002,
      cost_complete: true,
    },
    {
      model: 'beta',
      rollouts: 2,
      incomplete: 1,
      tokens: null,
      cost_usd: null,
      cost_complete: false,
    },
  ]);
});

test('a panel whose classes do not sum to its rollouts is no row', () => {
  const panel = row.panel.map((entrant) => ({ ...entrant, rollouts: 3 }));
  expect(BenchRow.safeParse({ ...row, panel }).success).toBe(false);
});

test('an answered verdict stays visible beside the open ones, with its lineage', () => {
  expect(row.alignment).toMatchObject({ false_positive: 0, suspect: 1, aligned: 1, repaired: 1 });
  expect(row.alignment.verdicts[0]).toMatchObject({ verdict_id: 'v1', state: 'answered' });
  expect(row.lineage).toMatchObject([{ revision: 1, verdict_ids: ['v1'] }]);
});

test('the base can be rebuilt from the source commit and the row', () => {
  expect(row.base_commit).toBe(input.task.base.commit);
  expect(row.base_patch).toContain('diff --git a/src/limit.mjs');
});

test('an image that was never pinned is null and has no digest', () => {
  expect([row.image, row.environment.image_digest]).toEqual([null, null]);
});

test('the row names the audit that is released with it', () => {
  expect(row.audit.audit_jsonl_sha256).toBe(sha256(auditText([input])));
});

test('the hash of the content does not depend on split or panel', () => {
  const other = releaseOptions({ split: 'train' });
  const [train] = bench.files([{ ...input, rollouts: [] }], other);
  const parsed = BenchRow.parse(JSON.parse(new TextDecoder().decode(train?.bytes)));
  expect(parsed.audit.content_sha256).toBe(row.audit.content_sha256);
});

test('an exported suite sees the same pinned environment as one in a sandbox', () => {
  const places = { workdir: '/w', outside: '/o', deps: '/d', home: '/h', tmp: '/t', path: [] };
  const { PATH, HOME, TMPDIR, ...pins } = boxEnv({ env: {}, paths: [] }, places);
  expect([PATH, HOME, TMPDIR]).toEqual(['', '/h', '/t']);
  expect(pins).toEqual(pinnedEnv);
});
