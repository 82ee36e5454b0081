import { expect, test } from 'vitest';
import { openTestRuns } from '../../../pipeline/runs/open.ts';
import type { Box, Exit } from '../../../stages/context.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { Fault } from '../../../stages/fault.ts';
import { reparse } from '../../../stages/test-reports/evidence.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type FakeFiles, fakeSandbox } from '../../support/fake-sandbox.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { sealedReport, soundRecords } from '../../support/sealed-report.ts';
import { keepTree, requestFor, specFor } from '../../support/test-run.ts';

const REPORT = '/csw/report.jsonl';
const signal = new AbortController().signal;
const bytesOf = (text: string) => Buffer.from(text);

/** A runner that passes one test, as the reporter would say it. */
function passOne(files: FakeFiles): Partial<Exit> {
  const nonce = Buffer.from(files.get(`${REPORT}.nonce`)?.bytes ?? []).toString();
  const bytes = sealedReport(nonce, soundRecords('node-test', 'passed'));
  files.set(REPORT, { kind: 'file', bytes });
  return { code: 0 };
}

/** One run of `test/a.ts` on a small tree, with a hidden test laid over it. */
function runWith(...[play, change]: Parameters<typeof fakeSandbox>) {
  const ledger = memoryLedger();
  const tree = keepTree(ledger, { 'src/a.ts': 'source', 'test/a.ts': 'old test' });
  const overlay = [{ path: 'test/a.ts', sha256: ledger.put(bytesOf('hidden test')) }];
  const request = requestFor(specFor('node-test'), { tree, overlay, files: ['test/a.ts'] });
  const runs = openTestRuns({ sandbox: fakeSandbox(play, change), ledger, clock: fakeClock() });
  return { ledger, request, ending: runs.run(request, signal) };
}

test('a run is read, kept and read again from what was kept', async () => {
  const { ledger, ending } = runWith(passOne);
  const { result } = await ending;
  expect(result).toMatchObject({ status: 'completed', exitCode: 0, drift: [] });
  expect(result.report.results).toMatchObject([{ id: 'a.test > passed 0', status: 'passed' }]);
  expect(reparse(result, ledger)).toEqual(result);
});

test('a caller may lower the limit of the environment, never raise it', async () => {
  const limits: number[] = [];
  const exec: Box['exec'] = (_argv, { timeoutMs }) => {
    limits.push(timeoutMs);
    return Promise.reject(new Fault('enough', { code: 'sandbox-failed' }));
  };
  const ledger = memoryLedger();
  const tree = keepTree(ledger, { 'test/a.ts': 'test' });
  const request = requestFor(specFor('node-test', { timeoutS: 60 }), {
    tree,
    files: ['test/a.ts'],
  });
  const sandbox = fakeSandbox(passOne, { exec });
  const runs = openTestRuns({ sandbox, ledger, clock: fakeClock() });
  for (const most of [undefined, { timeoutMs: 5000 }, { timeoutMs: 90_000 }])
    await expect(runs.run(request, signal, most)).rejects.toThrow('enough');
  expect(limits).toEqual([60_000, 5000, 60_000].map((limit) => limit + 10_000));
});

test('the hidden test replaces the file at its path before the runner starts', async () => {
  const seen: string[] = [];
  await runWith((files) => {
    seen.push(Buffer.from(files.get('test/a.ts')?.bytes ?? []).toString());
    return passOne(files);
  }).ending;
  expect(seen).toEqual([expect.stringMatching(/^hidden test\n/)]);
});

test('140 KB of unknown text and exit 0 are no report, and the log is kept', async () => {
  const stdout = Buffer.alloc(140 * 1024, 'all 12 checks fine\n');
  const { ledger, ending } = runWith(() => ({ code: 0, stdout }));
  const { result } = await ending;
  expect(result).toMatchObject({ status: 'no-report', reportBlob: null });
  expect(result.report).toEqual({ runner: 'node-test', complete: false, results: [] });
  expect(ledger.get(result.stdoutBlob)).toEqual(stdout);
});

test.each<[string, (files: FakeFiles) => Partial<Exit>, string]>([
  ['a process that ends in the middle', () => ({ code: 0 }), 'no-report'],
  ['a report under a guessed nonce', forged, 'unreadable'],
  ['a good report and a bad exit', (files) => ({ ...passOne(files), code: 7 }), 'crashed'],
  ['a report and then no end', (files) => ({ ...passOne(files), timedOut: true }), 'timed-out'],
])('%s is the result of the run, not a fault', async (_, play, status) => {
  const { result } = await runWith(play).ending;
  expect(result.status).toBe(status);
});

function forged(files: FakeFiles): Partial<Exit> {
  const bytes = sealedReport('guess', soundRecords('node-test', 'passed'));
  files.set(REPORT, { kind: 'file', bytes });
  return { code: 0 };
}

test('a file that the run changed or removed is drift; new files are not', async () => {
  const { result } = await runWith((files) => {
    files.delete('src/a.ts');
    files.set('test/a.ts', { kind: 'file', bytes: bytesOf('weaker test') });
    files.set('test/__pycache__/a.pyc', { kind: 'file', bytes: bytesOf('cache') });
    return passOne(files);
  }).ending;
  expect(result.drift).toEqual(['src/a.ts', 'test/a.ts']);
});

test('a hidden test that is not the recorded one just before the run is a fault', async () => {
  const read = (path: string) => Promise.resolve(bytesOf(path === 'test/a.ts' ? 'other' : ''));
  const { ending } = runWith(passOne, { read });
  await expect(ending).rejects.toMatchObject({ code: 'sandbox-failed', retryable: true });
});

test('a broken box is a fault and no result', async () => {
  const lost = new Fault('daemon restarted', { code: 'sandbox-lost' });
  const { ledger, request, ending } = runWith(() => Promise.reject(lost));
  await expect(ending).rejects.toBe(lost);
  const missing = openTestRuns({ sandbox: fakeSandbox(passOne), ledger, clock: fakeClock() });
  const gone = { ...request, tree: sha256('never kept') };
  await expect(missing.run(gone, signal)).rejects.toThrow('missing');
});

test('a test file that the tree lacks does not keep the others from running', async () => {
  const ledger = memoryLedger();
  const tree = keepTree(ledger, { 'test/a.ts': '' });
  const seen: string[] = [];
  const sandbox = fakeSandbox((files, argv) => {
    seen.push(...argv.filter((word) => word.startsWith('test/')));
    return passOne(files);
  });
  const files = ['test/a.ts', 'test/gone.ts'];
  const request = requestFor(specFor('node-test'), { tree, files });
  await openTestRuns({ sandbox, ledger, clock: fakeClock() }).run(request, signal);
  expect(seen).toEqual(['test/a.ts']);
});
