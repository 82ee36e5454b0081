import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { experiment } from '../../../pipeline/commands/experiment.ts';
import { completion, experimentBench } from '../../support/experiment-bench.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { only, runCli } from '../cli/run-cli.ts';

const cli = (...argv: string[]) => runCli(['experiment', ...argv], only(experiment));
const last = (stdout: string): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

/** A frozen experiment that nobody ran, and the same one with a closed record. */
const place = mkdtempSync(join(tmpdir(), 'csw-experiments-'));
const [fresh, finished] = [join(place, 'fresh'), join(place, 'finished')];

afterAll(() => rmSync(place, { recursive: true, force: true }));

beforeAll(async () => {
  mkdirSync(finished);
  const bench = await experimentBench(finished);
  writeFileSync(join(bench.folder, 'frozen.json'), JSON.stringify(bench.frozen));
  cpSync(bench.folder, fresh, { recursive: true });
  const edits = [{ file: 'src/one.ts', find: 'return 0;', replace: 'return 1;' }];
  const answer = (condition: string) =>
    condition === 'C0'
      ? { edits, create: [], delete: [] }
      : { bodies: [{ region: 'r1', text: '  return 1;\n' }] };
  await bench.run(async ({ condition }) => completion(JSON.stringify(answer(condition))));
});

/** A copy in which something may be broken. */
function copyOf(folder: string): string {
  const copy = tempFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const edited = (path: string, from: string, to: string) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));

test('a dry run says what is left to do and writes nothing', async () => {
  const folder = copyOf(fresh);
  const said = await cli('run', folder, '--dry-run', '--json');
  expect(said.code).toBe(0);
  expect(last(said.stdout)).toMatchObject({ dryRun: true, scheduled: 4, open: 4, attempts: 10 });
  expect(existsSync(join(folder, 'record'))).toBe(false);
  expect(existsSync(join(folder, 'mailbox'))).toBe(false);
});

test('a run of something else than was frozen is refused and leaves no record', async () => {
  const folder = copyOf(fresh);
  edited(join(folder, 'plan.yaml'), 'seed: 7', 'seed: 8');
  const said = await cli('run', folder);
  expect(said.code).toBe(2);
  expect(said.stderr).toMatch(/another "plan"/);
  expect(existsSync(join(folder, 'record'))).toBe(false);
});

describe('a plan', () => {
  const cases: [string, (folder: string) => void, RegExp][] = [
    [
      'that is a pipe nobody writes to',
      (folder) => {
        rmSync(join(folder, 'plan.yaml'));
        execFileSync('mkfifo', [join(folder, 'plan.yaml')]);
      },
      /DIR: expected a folder with plan\.yaml.*no regular file/,
    ],
    [
      'of two gigabytes',
      (folder) => truncateSync(join(folder, 'plan.yaml'), 2 ** 31),
      /DIR: expected a file of at most 16777216 bytes, got .*2147483648/,
    ],
    [
      'that compares a condition which is not run',
      (folder) => edited(join(folder, 'plan.yaml'), 'a: C2', 'a: C4'),
      /comparisons\[0\]\.a: expected .*C2.*, got "C4"/,
    ],
    [
      'with a key that no plan has',
      (folder) => edited(join(folder, 'plan.yaml'), 'seed: 7', 'seed: 7\nseeds: 8'),
      /expected .*seed.*, got "seeds"/,
    ],
    [
      'with an alias',
      (folder) =>
        edited(join(folder, 'plan.yaml'), 'seed: 7', 'seed: &s 7\nbudget: {usd: 1, calls: *s}'),
      /expected values written out, got the alias \*s/,
    ],
    [
      'whose contract is a folder',
      (folder) => edited(join(folder, 'plan.yaml'), 'path: one', 'path: one/base'),
      /instances: expected a file that can be read, got .*contract\.yaml" \(ENOENT\)/,
    ],
    [
      'whose instance has no base',
      (folder) => rmSync(join(folder, 'one/base'), { recursive: true }),
      /instances: expected a folder "base" beside the contract/,
    ],
    [
      'whose reference is cut',
      (folder) => truncateSync(join(folder, 'one/reference.json'), 5),
      /instances: expected a reference that is a proposal/,
    ],
  ];
  test.each(cases)('%s is named and refused', async (_, harm, message) => {
    const folder = copyOf(fresh);
    harm(folder);
    const said = await cli('run', folder, '--dry-run');
    expect(said.stderr).toMatch(message);
    expect(said.code).toBe(2);
  });

  test('may leave its comparisons out', async () => {
    const folder = copyOf(fresh);
    const plan = readFileSync(join(folder, 'plan.yaml'), 'utf8');
    writeFileSync(join(folder, 'plan.yaml'), plan.replace(/comparisons:\n(?: .*\n)+/u, ''));
    expect((await cli('run', folder, '--dry-run')).stderr).toMatch(/another "plan"/);
  });
});

test('a cut frozen.json is called so', async () => {
  const folder = copyOf(fresh);
  truncateSync(join(folder, 'frozen.json'), 100);
  const said = await cli('run', folder);
  expect(said.code).toBe(2);
  expect(said.stderr).toMatch(
    /expected frozen\.json as "experiment freeze" wrote it, got .*cut or changed/,
  );
});

test('a report of a whole record counts every rollout, and links no plot that is not there', async () => {
  const said = await cli('report', finished, '--json');
  expect(said.code).toBe(0);
  expect(last(said.stdout)).toMatchObject({ verb: 'experiment report', scheduled: 4 });
  expect(said.stdout).not.toContain('report.svg');
});

test('a report that is written names its plot', async () => {
  const folder = copyOf(finished);
  expect((await cli('report', folder, '--write')).code).toBe(0);
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('(report.svg)');
  expect(existsSync(join(folder, 'report.svg'))).toBe(true);
});

test.each(['report', 'replay'])(
  '%s of an experiment that was not run says what to do',
  async (verb) => {
    const said = await cli(verb, fresh);
    expect(said.code).toBe(2);
    expect(said.stderr).toMatch(/run "pipeline experiment run" first/);
  },
);

test('a rollout that is cut short in an open record stops the run by a code', async () => {
  const folder = copyOf(fresh);
  mkdirSync(join(folder, 'record/rollouts'), { recursive: true });
  writeFileSync(join(folder, 'record/rollouts/one.json'), '{');
  const said = await cli('run', folder, '--dry-run', '--json');
  expect(said.code).toBe(75);
  expect(last(said.stdout)).toMatchObject({ error: { code: 'record-damaged' } });
});

describe('a record', () => {
  const audit = 'record/audit.jsonl';
  const cases: [string, (folder: string) => void, RegExp][] = [
    [
      'with a changed byte',
      (folder) => edited(join(folder, audit), 'valid-success', 'valid-succesS'),
      /Record failed at audit\.jsonl/,
    ],
    [
      'with a cut line',
      (folder) => truncateSync(join(folder, audit), 900),
      /Record failed at audit\.jsonl/,
    ],
    ['that is empty', (folder) => writeFileSync(join(folder, audit), ''), /Record failed at/],
    [
      'without its sums',
      (folder) => rmSync(join(folder, 'record/SHA256SUMS')),
      /Record failed at SHA256SUMS/,
    ],
    [
      'with a file too many',
      (folder) => writeFileSync(join(folder, 'record/more'), ''),
      /Record failed at more: a file that no sum names/,
    ],
  ];
  test.each(cases)('%s is counted by no report', async (_, harm, message) => {
    const folder = copyOf(finished);
    harm(folder);
    const said = await cli('report', folder, '--json');
    expect(said.stderr).toMatch(message);
    expect(said.code).toBe(75);
    expect(last(said.stdout)).toMatchObject({ error: { code: 'record-damaged' } });
  });

  test('of another plan is told from the one at hand', async () => {
    const folder = copyOf(finished);
    edited(join(folder, 'plan.yaml'), 'seed: 7', 'seed: 8');
    const frozen = join(folder, 'frozen.json');
    const said = await cli('report', folder);
    expect(said.code).toBe(2);
    expect(said.stderr).toMatch(/expected the plan that was run/);
    expect(readFileSync(frozen, 'utf8')).toBe(readFileSync(join(finished, 'frozen.json'), 'utf8'));
  });

  test('is never frozen anew', async () => {
    const before = readFileSync(join(finished, 'frozen.json'), 'utf8');
    const said = await cli('freeze', finished);
    expect(said.code).toBe(2);
    expect(said.stderr).toMatch(/expected an experiment that was not run yet/);
    expect(readFileSync(join(finished, 'frozen.json'), 'utf8')).toBe(before);
  });
});
