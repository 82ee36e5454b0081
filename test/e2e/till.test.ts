/** @module-tag slow */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exportRecords } from '../../pipeline/export-run.ts';
import { moneyOf } from '../../pipeline/ledger/money.ts';
import { openLedger } from '../../pipeline/ledger/open.ts';
import { replaying } from '../../pipeline/ledger/replaying.ts';
import { verifyRelease } from '../../pipeline/release/verify-release.ts';
import { openPatches } from '../../pipeline/repos/patches.ts';
import { RunConfig } from '../../schemas/run-config.ts';
import type { Source } from '../../schemas/source.ts';
import { stages } from '../../stages/registry.ts';
import { type FinishedTill, finishedTill, pipeline } from '../support/finished-till.ts';
import { summaryIn } from '../support/spawned-cli.ts';
import { snapshot, whileFlipped } from '../support/spoiled.ts';
import { tempFolder } from '../support/temp-folder.ts';

const RECORD = 'till-discount-receipt';
const WITNESS = `w-${RECORD}-0-FP1-R1.b`;
const MERGE = `w-${RECORD}-1-solo-1`;

/** Some of these run tests of the story in boxes; a busy machine takes its time. */
const SLOW = { timeout: 120_000 };

let till: FinishedTill;
beforeAll(async () => {
  till = await finishedTill();
}, 300_000);
afterAll(() => rmSync(till.folder, { recursive: true, force: true }));

const here = (...argv: string[]) => pipeline(...argv, '--out', till.out, '--json');

describe('a run through a mailbox', SLOW, () => {
  test('ends with 75 while answers are missing, and status lists the open requests', () => {
    expect(till.starts.slice(0, -1).map(({ code }) => code)).toEqual(
      till.starts.slice(0, -1).map(() => 75),
    );
    expect(till.starts[0]?.stderr).toMatch(/Answers are missing: see .*mailbox, then run the same/);
    const { openRequests } = summaryIn(till.status.stdout) as { openRequests: string[] };
    expect(openRequests).toHaveLength(2);
    for (const path of openRequests) expect(existsSync(path)).toBe(true);
  });

  test('keeps half an answer under another name, names it, and asks once more', () => {
    expect(till.refused).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}\.response\.invalid-1\.json$/),
    ]);
    expect(till.starts[1]).toMatchObject({ code: 75 });
    expect(till.starts[1]?.stderr).toMatch(/Mailbox answer refused: .*It is kept as .*once more/);
  });

  test('goes on with the same command, asks everyone once, and ends with a release', () => {
    const last = till.starts.at(-1);
    expect(last?.code, last?.stderr).toBe(0);
    expect(till.answered.flat().toSorted()).toEqual(['elm', 'mender', 'oak', 'reader', 'reader']);
    expect(summaryIn(last?.stdout ?? '')).toMatchObject({
      verb: 'run',
      funnel: { drafted: 2, accepted: 1, 'draft-invalid': 1 },
      outcomes: { 'valid-success': 1, 'rejected-violation': 1 },
      tasks: [{ record: RECORD, levels: ['R1-R2:4'] }],
    });
  });

  test('leaves a release that is sound, with the repaired test and its lineage', () => {
    expect(verifyRelease(join(till.run, 'release'))).toEqual([]);
    const text = readFileSync(join(till.run, 'release/data/test.jsonl'), 'utf8');
    const row = JSON.parse(text.slice(0, text.indexOf('\n')));
    expect(row.test_patch).toContain('discount?.(-5)');
    expect(row.lineage).toMatchObject([
      { revision: 0, cause: 'drafted' },
      { revision: 1, verdict_ids: [`v-${RECORD}-0-FP1-R1.b`] },
    ]);
    const audit = readFileSync(join(till.run, 'release/audit.jsonl'), 'utf8');
    expect(audit).toContain(`repair-${RECORD}-0-1`);
  });

  test('started again when all is done, changes no byte of the release and asks nobody', async () => {
    const before = snapshot(join(till.run, 'release'));
    const { code } = await pipeline(...till.command);
    expect(code).toBe(0);
    expect(snapshot(join(till.run, 'release'))).toEqual(before);
  });
});

describe('looking at a run', SLOW, () => {
  test('tasks list names every record with its end', async () => {
    const { code, stdout } = await here('tasks', 'list');
    expect(code).toBe(0);
    expect(stdout).toContain(`${RECORD}  done, revision 1`);
    expect(stdout).toMatch(/^till-misquoted {2}refused \(draft-invalid\): R1\.a quotes/m);
    expect(summaryIn(stdout)).toMatchObject({
      tasks: [{ record: RECORD }, { code: 'draft-invalid' }],
    });
  });

  test('tasks show prints statement and matrix', async () => {
    const { code, stdout } = await here('tasks', 'show', RECORD);
    expect(code).toBe(0);
    expect(stdout).toContain('lowers `total()` by that many percent');
    expect(stdout).toMatch(/R1-R2: level 4/);
    expect(stdout).toMatch(/^clause -> tests\n {2}R1\.a /m);
  });

  test('an unknown record is refused with the nearest one', async () => {
    const { code, stderr } = await here('tasks', 'show', 'till-discount-reciept');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`did you mean "${RECORD}"?`)]);
  });

  test('seeds list, show and graph agree on what was mined', async () => {
    const list = summaryIn((await here('seeds', 'list')).stdout) as { seeds: { id: string }[] };
    expect(list.seeds).toHaveLength(4);
    const [first] = list.seeds;
    const shown = summaryIn((await here('seeds', 'show', first?.id ?? '')).stdout);
    expect(shown).toMatchObject({ seed: { id: first?.id } });
    const { stdout } = await here('seeds', 'graph');
    expect(stdout).toMatch(/^graph seeds \{/);
    expect(stdout).toContain('" -- "');
    const lines = readFileSync(join(till.run, 'seeds.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(list.seeds.map(({ id }) => id));
  });

  test.each([WITNESS, MERGE])('%s is executed again and still holds', async (witness) => {
    const { code, stdout, stderr } = await here('review', '--witness', witness);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`Witness ${witness} holds.`);
    expect(summaryIn(stdout)).toMatchObject({ witness, holds: true });
  });

  test('an unknown witness is refused with the ones there are', async () => {
    const { code, stderr } = await here('review', '--witness', 'w-nobody');
    expect([code, stderr]).toEqual([2, expect.stringContaining(WITNESS)]);
  });

  test.each([
    [['run', `pack:somewhere`]],
    [['run', 'pack:somewhere', '--run', 'other']],
    [['mine', 'pack:somewhere', '--run', 'other']],
    [['synthesize']],
    [['synthesize', 'pack:somewhere', '--run', 'other']],
    [['solve']],
    [['review']],
    [['review', '--witness', WITNESS]],
    [['export']],
    [['tasks', 'exclude', RECORD, '--reason', 'dull']],
    [['replay']],
  ])('%j with --dry-run writes nothing', async (argv) => {
    const before = snapshot(till.folder);
    const { code, stdout, stderr } = await here(...argv, '--dry-run');
    expect(code, stderr).toBe(0);
    expect(summaryIn(stdout)).toBeTypeOf('object');
    const scratch = /\/out\/\.cache\/scratch\//;
    const kept = (files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).filter(([path]) => !scratch.test(path)));
    expect(kept(snapshot(till.folder))).toEqual(kept(before));
  });

  test('an excluded task leaves the release', async () => {
    const out = join(tempFolder(), 'out');
    cpSync(till.out, out, { recursive: true });
    const said = await pipeline('tasks', 'exclude', RECORD, '--reason', 'dull', '--out', out);
    expect(said.code, said.stderr).toBe(0);
    const { stdout } = await pipeline('export', '--out', out, '--json');
    expect(summaryIn(stdout)).toMatchObject({ tasks: [] });
    expect(existsSync(join(out, 'main/release/harbor', RECORD))).toBe(false);
  });
});

test(
  'a source without a licence is refused at export, unless the run allows it',
  SLOW,
  async () => {
    const stored = openLedger({ folder: till.run, mode: 'read', clock: { now: () => 0 } });
    onTestFinished(stored.close);
    const { put, get, has } = replaying(stored);
    const ledger = { ...stored, put, get, has };
    const patches = await openPatches({ ledger, scratch: tempFolder() });
    const money = moneyOf(stored.events(), {});
    const unlicensed = (record: string) => {
      const state = stored.fold(record, stages);
      const source = { ...(state.facts.source as Source), licence: null };
      return { ...state, facts: { ...state.facts, source } };
    };
    const exported = async (allow_no_licence: boolean) => {
      const config = RunConfig.parse({ run: 'main', export: { allow_no_licence } });
      return await exportRecords({ ledger, patches, config, money }, unlicensed);
    };
    const refused = await exported(false);
    expect(refused.tasks).toEqual([]);
    expect(refused.refused).toMatchObject([
      { record: RECORD, rejection: { code: 'licence-missing' } },
    ]);
    expect((await exported(true)).tasks).toEqual([RECORD]);
  },
);

describe('replay', SLOW, () => {
  test('of a finished run finds no difference', async () => {
    const { code, stdout, stderr } = await here('replay');
    expect(code, stderr).toBe(0);
    expect(summaryIn(stdout)).toEqual({
      run: 'main',
      verb: 'replay',
      agrees: true,
      differences: [],
    });
  });

  const blob = () => {
    const folder = readdirSync(join(till.run, 'blobs')).find((name) => name.length === 2) ?? '';
    return join('blobs', folder, readdirSync(join(till.run, 'blobs', folder))[0] ?? '');
  };
  const letter = () =>
    join(
      'mailbox',
      readdirSync(join(till.run, 'mailbox')).find((n) => n.includes('.response.')) ?? '',
    );
  const kinds: [string, () => string][] = [
    ['the ledger', () => 'ledger.sqlite'],
    ['a blob', blob],
    ['an answer in the mailbox', letter],
    ['the benchmark', () => 'release/data/test.jsonl'],
    ['the SWE-bench rows', () => 'release/swebench/data.jsonl'],
    ['a Harbor file', () => `release/harbor/${RECORD}/task.toml`],
    ['the sums of the release', () => 'release/SHA256SUMS'],
    ['the seeds', () => 'seeds.jsonl'],
    ['the sums of the run', () => 'SHA256SUMS'],
  ];
  test.each(kinds)('names one flipped byte in %s', async (_kind, pathOf) => {
    const path = pathOf();
    const at = path === 'SHA256SUMS' ? 0 : 'middle';
    const { code, stdout } = await whileFlipped(join(till.run, path), at, () => here('replay'));
    expect(code).toBe(1);
    const { agrees, differences } = summaryIn(stdout) as { agrees: boolean; differences: string[] };
    expect(agrees).toBe(false);
    expect(differences.join('\n')).toContain(path);
  });

  test('of a run that was not closed says so, and what to do', async () => {
    const out = join(tempFolder(), 'out');
    cpSync(till.out, out, { recursive: true });
    rmSync(join(out, 'main', 'SHA256SUMS'));
    const { code, stderr, stdout } = await pipeline('replay', '--out', out, '--json');
    expect(code).toBe(75);
    expect(stderr).toContain('Run the same command again to finish it');
    expect(summaryIn(stdout)).toMatchObject({ error: { code: 'ledger-unsealed' } });
  });
});
