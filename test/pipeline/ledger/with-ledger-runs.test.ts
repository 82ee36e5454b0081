import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenLedger, openLedger } from '../../../pipeline/ledger/open.ts';
import { replayedRuns, withLedgerRuns } from '../../../pipeline/ledger/with-ledger-runs.ts';
import { type Environment, EnvironmentSpec } from '../../../schemas/environment.ts';
import type { TestRunRequest, TestRunResult } from '../../../schemas/test-run.ts';
import type { TestRuns } from '../../../stages/context.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { packEvidence } from '../../../stages/test-reports/evidence.ts';

let folder = '';
let ledger: OpenLedger;
const reopen = () => {
  ledger = openLedger({ folder, mode: 'write', clock: { now: () => 1 } });
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runs-'));
  reopen();
});
afterEach(() => {
  ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const tree = sha256('tree');
const spec = EnvironmentSpec.parse({
  environment: 1,
  language: 'javascript',
  runner: 'node-test',
  testFiles: ['test/**'],
  sourceFiles: ['src/**'],
});
const environment = (handle: string, version = '24'): Environment => ({
  spec,
  sandbox: 'process',
  digest: sha256(version),
  tools: [{ name: 'node', version }],
  handle,
});
const request = (repeat = 0, handle = 'folder-1'): TestRunRequest => ({
  environment: environment(handle),
  tree,
  overlay: [],
  files: ['test/a.test.js'],
  repeat,
});

/** A sandbox that counts; `process` is what its environments' handles are called. */
function machine(process: string, version = '24') {
  const asked = { prepared: 0, ran: [] as string[] };
  const empty = () => ledger.put(new Uint8Array());
  const runs: TestRuns = {
    async prepare() {
      asked.prepared += 1;
      return { ready: true, environment: environment(process, version) };
    },
    async run({ environment: used, repeat }) {
      asked.ran.push(`${used.handle}:${repeat}`);
      const result: TestRunResult = {
        status: 'no-report',
        exitCode: 0,
        signal: null,
        reportBlob: null,
        stdoutBlob: empty(),
        stderrBlob: empty(),
        droppedBytes: 0,
        durationMs: asked.ran.length,
        drift: [],
        report: { runner: 'node-test', complete: false, results: [] },
      };
      return { key: 'unused', result };
    },
  };
  return { asked, runs: withLedgerRuns(runs, { ledger, record: 'r' }) };
}

test('the same request is run once, also when two ask at the same time', async () => {
  const { asked, runs } = machine('folder-1');
  await runs.prepare(spec, tree, signal);
  const [one, two] = await Promise.all([runs.run(request(), signal), runs.run(request(), signal)]);
  const three = await runs.run(request(), signal);
  await runs.run(request(1), signal);
  expect(asked.ran).toEqual(['folder-1:0', 'folder-1:1']);
  expect([two, three]).toEqual([one, one]);
});

test('a new process finds the results and prepares the environment again for the next run', async () => {
  const first = machine('folder-1');
  await first.runs.prepare(spec, tree, signal);
  const before = await first.runs.run(request(), signal);
  ledger.close();
  reopen();
  const second = machine('folder-2');
  expect(await second.runs.run(request(), signal)).toEqual(before);
  expect(second.asked).toEqual({ prepared: 0, ran: [] });
  await second.runs.run(request(1), signal);
  await second.runs.run(request(2), signal);
  expect(second.asked).toEqual({ prepared: 1, ran: ['folder-2:1', 'folder-2:2'] });
});

test('an environment that came out otherwise than before is a fault that names both', async () => {
  await machine('folder-1').runs.prepare(spec, tree, signal);
  const other = machine('folder-2', '26').runs;
  await expect(other.run(request(), signal)).rejects.toThrow(
    /this run began with process, node 24, and here it is process, node 26/,
  );
});

test('an install that failed is not tried again', async () => {
  let tried = 0;
  const inner: TestRuns = {
    async prepare() {
      tried += 1;
      return { ready: false, step: 'npm ci', tail: 'no such package' };
    },
    run: () => Promise.reject(new Error('not asked for')),
  };
  for (let time = 0; time < 2; time++) {
    const runs = withLedgerRuns(inner, { ledger, record: null });
    expect(await runs.prepare(spec, tree, signal)).toMatchObject({ ready: false, step: 'npm ci' });
  }
  expect(tried).toBe(1);
});

test('a run that broke is forgotten and can be made again', async () => {
  let times = 0;
  const inner: TestRuns = {
    prepare: async () => ({ ready: true, environment: environment('f') }),
    run: async () => {
      times += 1;
      throw new Error('lost');
    },
  };
  const runs = withLedgerRuns(inner, { ledger, record: null });
  await expect(runs.run(request(), signal)).rejects.toThrow('lost');
  await expect(runs.run(request(), signal)).rejects.toThrow('lost');
  expect(times).toBe(2);
});

test('no path of this machine enters the ledger with a run', async () => {
  await machine('folder-1').runs.run(request(), signal);
  expect(JSON.stringify(ledger.events('tests-ran'))).not.toContain('folder-1');
});

describe('replay', () => {
  test('answers from the ledger alone', async () => {
    const { runs } = machine('folder-1');
    const prepared = await runs.prepare(spec, tree, signal);
    const ran = await runs.run(request(), signal);
    const replay = replayedRuns(ledger);
    expect(await replay.prepare(spec, tree, signal)).toEqual(prepared);
    expect(await replay.run(request(), signal)).toEqual(ran);
  });

  test('what was never asked is named', async () => {
    const replay = replayedRuns(ledger);
    await expect(replay.run(request(), signal)).rejects.toThrow(
      /test run [0-9a-f]{64} was never made \(test\/a\.test\.js on tree/,
    );
    await expect(replay.prepare(spec, tree, signal)).rejects.toMatchObject({
      code: 'replay-differs',
    });
  });

  test('a stored result that its own report does not bear out is named', async () => {
    const { result } = await machine('folder-1').runs.run(request(), signal);
    const evidence = {
      runner: 'node-test',
      nonce: 'n',
      code: 1,
      signal: null,
      timedOut: false,
    } as const;
    const reportBlob = ledger.put(packEvidence({ ...evidence, bytes: new Uint8Array([10]) }));
    const forged = { request: request(1), result: { ...result, status: 'completed', reportBlob } };
    const { key } = await machine('folder-1').runs.run(request(2), signal);
    const rewritten: OpenLedger = {
      ...ledger,
      find: (kind, asked) => (asked === key ? forged : ledger.find(kind, asked)),
    };
    await expect(replayedRuns(rewritten).run(request(2), signal)).rejects.toThrow(
      new RegExp(`the stored report of test run ${key} now reads differently`),
    );
  });
});
