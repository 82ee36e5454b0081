import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { doctor } from '../../../pipeline/commands/doctor.ts';
import { init } from '../../../pipeline/commands/init.ts';
import { status } from '../../../pipeline/commands/status.ts';
import { readRunConfig } from '../../../pipeline/config.ts';
import {
  checkDisk,
  checkModel,
  checkNode,
  checkOut,
  checkSandboxes,
} from '../../../pipeline/host-checks.ts';
import { openLedger } from '../../../pipeline/ledger/open.ts';
import { ModelConfig, RunConfig } from '../../../schemas/run-config.ts';
import { only, runCli } from './run-cli.ts';

let out = '';
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'verbs-'));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

const lastLine = (text: string): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');

describe('init', () => {
  const run = (...args: string[]) => runCli(['init', ...args], only(init));

  test('what it writes is read as the defaults', async () => {
    const file = join(out, 'pipeline.yaml');
    expect((await run(file)).code).toBe(0);
    expect(readRunConfig(file)).toEqual(RunConfig.parse({}));
  });

  test('its commented models are read when the comment signs are taken away', async () => {
    const file = join(out, 'pipeline.yaml');
    await run(file);
    const text = readFileSync(file, 'utf8')
      .replace('models: []', 'models:')
      .replace(/^# (?= {2})/gm, '');
    writeFileSync(file, text);
    expect(readRunConfig(file).models.map(({ name, provider }) => [name, provider])).toEqual([
      ['strong', 'openai'],
      ['inbox', 'mailbox'],
      ['taped', 'recorded'],
    ]);
  });

  test('every field stands under a sentence', async () => {
    const { stdout } = await run('--dry-run');
    const lines = stdout.split('\n');
    const fields = lines.flatMap((line, at) => (/^ *[a-z_]+:/.test(line) ? [at] : []));
    expect(fields.length).toBeGreaterThan(40);
    for (const at of fields) expect(lines[at - 1], lines[at]).toMatch(/^ *# \S.*\.$/);
  });

  test('a file that is there is kept without --force', async () => {
    const file = join(out, 'pipeline.yaml');
    writeFileSync(file, 'run: mine\n');
    const { code, stderr } = await run(file);
    expect([code, stderr]).toEqual([
      2,
      `FILE: expected a name that is free, or --force, got "${file}", which is there\n`,
    ]);
    expect(readFileSync(file, 'utf8')).toBe('run: mine\n');
    expect((await run(file, '--force')).code).toBe(0);
    expect(readRunConfig(file).run).toBe('main');
  });

  test('--dry-run writes nothing', async () => {
    await run(join(out, 'x.yaml'), '--dry-run');
    expect(existsSync(join(out, 'x.yaml'))).toBe(false);
  });
});

describe('status', () => {
  const run = (...args: string[]) => runCli(['status', '--out', out, ...args], only(status));

  function writing() {
    const ledger = openLedger({
      folder: join(out, 'demo'),
      mode: 'write',
      clock: { now: () => 1 },
    });
    const open = (record: string) =>
      ledger.note({ kind: 'record-opened', record, key: record, body: { facts: { seeds: [] } } });
    for (const record of ['a', 'b', 'c', 'd']) open(record);
    const end = (record: string, rest: object) =>
      ledger.note({
        kind: 'stage-ended',
        record,
        key: `${record}:0`,
        body: { stage: 'draft', ordinal: 0, revision: 0, ending: 'done', facts: {}, ...rest },
      });
    end('a', { facts: { task: {} } });
    end('b', { ending: 'rejected', rejection: { code: 'not-coupled', detail: 'd', evidence: [] } });
    const fault = { stage: 'draft', code: 'sandbox-lost', message: 'Sandbox failed: gone.' };
    ledger.note({ kind: 'record-faulted', record: 'c', key: 'c:f', body: fault });
    ledger.note({ kind: 'record-excluded', record: 'd', key: 'd:x', body: { reason: 'dull' } });
    return ledger;
  }

  test('reads beside a living writer, in words and as one object', async () => {
    const ledger = writing();
    const mailbox = join(out, 'demo', 'mailbox');
    mkdirSync(mailbox);
    for (const file of ['1.request.md', '2.request.md', '2.response.md']) {
      writeFileSync(join(mailbox, file), '');
    }
    const { code, stdout, stderr } = await run('--json');
    ledger.close();
    expect(code).toBe(0);
    expect(stderr).toContain(`Run demo: process ${process.pid} is writing it.`);
    expect(stderr).toContain('c: Sandbox failed: gone.');
    expect(lastLine(stdout)).toMatchObject({
      run: 'demo',
      writer: process.pid,
      sealed: false,
      records: 4,
      waitingFor: { build: 1, draft: 1 },
      rejected: { 'not-coupled': 1 },
      excluded: 1,
      finished: 0,
      faulted: { 'sandbox-lost': 1 },
      money: { calls: 0, usd: 0, cost_complete: true, estimate_usd: 0 },
      openRequests: [join(mailbox, '1.request.md')],
    });
  });

  test('a closed run says so, and reading it leaves it sealed', async () => {
    writing().close();
    expect((await run()).stderr).toMatch(/^Run demo: closed\./);
    expect(lastLine((await run('--json')).stdout)).toMatchObject({ writer: null, sealed: true });
  });

  test('a run that does not exist is refused with the runs there are', async () => {
    writing().close();
    expect(await run('--run', 'dmeo')).toMatchObject({
      code: 2,
      stderr: '--run: expected one of demo (did you mean "demo"?), got "dmeo"\n',
    });
  });
});

describe('doctor', () => {
  test.each([
    ['v22.17.1', 'fail'],
    ['v22.18.0', 'ok'],
    ['v24.0.0', 'ok'],
    ['v20.20.2', 'fail'],
  ])('node %s is %s', (version, state) => {
    expect(checkNode(version).state).toBe(state);
  });

  test('a disk that is nearly full is named with what is needed', () => {
    expect(checkDisk(join(out, 'not', 'yet'), () => 5e8)).toMatchObject({
      state: 'fail',
      found: `0.5 GiB free for ${join(out, 'not', 'yet')}`,
      remedy: expect.stringContaining('Free at least 2 GiB'),
    });
    expect(checkDisk(out, () => 5e9).state).toBe('ok');
  });

  test('an out folder that need not exist yet is writable', () => {
    expect(checkOut(join(out, 'new')).state).toBe('ok');
  });

  test.each([
    [{ provider: 'openai', model: 'm', api_key_env: 'MY_KEY' }, 'fail', 'MY_KEY is not set'],
    [{ provider: 'openai', model: 'm' }, 'warn', 'price unknown'],
    [{ provider: 'recorded', pack: '/nowhere/at/all' }, 'fail', 'no folder /nowhere/at/all'],
    [{ provider: 'mailbox' }, 'ok', 'mailbox in mailbox'],
  ])('model %j: %s', (fields, state, found) => {
    const check = checkModel(ModelConfig.parse({ name: 'x', ...fields }), () => null);
    expect([check.state, check.found]).toEqual([state, expect.stringContaining(found)]);
  });

  const seen = (docker: boolean, bwrap: boolean) => [
    { name: 'docker socket', ok: docker, detail: 'd', remedy: docker ? null : 'Start it.' },
    { name: 'docker daemon', ok: docker, detail: 'd', remedy: null },
    { name: 'bwrap', ok: bwrap, detail: 'b', remedy: null },
    { name: 'process', ok: true, detail: 'p', remedy: null },
  ];
  test.each([
    ['auto', true, false, ['ok', 'ok', 'warn', 'ok']],
    ['auto', false, true, ['warn', 'warn', 'ok', 'ok']],
    ['auto', false, false, ['fail', 'fail', 'fail', 'ok']],
    ['docker', false, true, ['fail', 'fail', 'ok', 'ok']],
    ['bwrap', true, false, ['ok', 'ok', 'fail', 'ok']],
    ['process', false, false, ['warn', 'warn', 'warn', 'ok']],
  ] as const)('wanting %s with docker %s and bwrap %s', (wanted, docker, bwrap, states) => {
    const checks = checkSandboxes(seen(docker, bwrap), wanted);
    expect(checks.map(({ state }) => state)).toEqual(states);
  });

  test('a docker that auto would take, but that has no image, is to be mended', () => {
    const image = { name: 'docker image', ok: false, detail: 'none', remedy: 'Make it.' };
    const checks = checkSandboxes([...seen(true, true), image], 'auto');
    expect(checks.at(-1)).toMatchObject({ state: 'fail', remedy: 'Make it.' });
  });

  test('what is to mend is said with its remedy, and the exit code is 1', async () => {
    const file = join(out, 'pipeline.yaml');
    writeFileSync(
      file,
      'models: [{name: strong, provider: openai, model: m, api_key_env: SURELY_NOT_SET}]\n',
    );
    const argv = ['doctor', '--config', file, '--out', out, '--sandbox', 'process', '--json'];
    const { code, stdout, stderr } = await runCli(argv, only(doctor));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /FAIL {2}model strong: .*SURELY_NOT_SET is not set\n {6}Set SURELY_NOT_SET/,
    );
    expect(lastLine(stdout)).toMatchObject({ ok: false });
  });

  test('--live asks a server once and names what it said', async () => {
    const file = join(out, 'pipeline.yaml');
    writeFileSync(
      file,
      'models: [{name: local, provider: openai, model: m, base_url: "http://127.0.0.1:9/v1"}]\n',
    );
    const argv = ['doctor', '--live', '--config', file, '--out', out];
    const { code, stderr } = await runCli(argv, only(doctor));
    expect(code).toBe(1);
    expect(stderr).toMatch(/FAIL {2}call local: /);
  });
});

test('the program starts, silent on stderr, and ends with the code of its verb', () => {
  const cli = fileURLToPath(new URL('../../../pipeline/cli.ts', import.meta.url));
  const start = (...args: string[]) =>
    execFileSync(process.execPath, [cli, ...args], { encoding: 'utf8', stdio: 'pipe' });
  expect(start('--help')).toMatch(/^Usage: pipeline VERB/);
  expect(() => start('nonsense')).toThrow(expect.objectContaining({ status: 2 }));
});
