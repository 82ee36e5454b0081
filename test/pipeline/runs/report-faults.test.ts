import { expect, test } from 'vitest';
import { openTestRuns } from '../../../pipeline/runs/open.ts';
import type { TestGroup } from '../../../schemas/instance.ts';
import type { TestRunResult } from '../../../schemas/test-run.ts';
import type { Exit } from '../../../stages/context.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { gradeOfBuild } from '../../../stages/solve/grade-of.ts';
import { judgeRun } from '../../../stages/solve/judge-run.ts';
import { reparse } from '../../../stages/test-reports/evidence.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type FakeFiles, fakeSandbox } from '../../support/fake-sandbox.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { sealedReport, soundRecords } from '../../support/sealed-report.ts';
import { keepTree, requestFor, specFor } from '../../support/test-run.ts';

const REPORT = '/csw/report.jsonl';
const signal = new AbortController().signal;
const groups: TestGroup[] = [
  { name: 'T', kind: 'requirement', refs: ['R1'], ids: ['a.test > passed 0'] },
];

type Bytes = (nonce: string) => Uint8Array | null;

/** A run whose runner left these bytes as its report, and ended so. */
async function runOf(bytes: Bytes, exit: Partial<Exit> = { code: 0 }) {
  const ledger = memoryLedger();
  const tree = keepTree(ledger, { 'test/a.ts': 'test' });
  const play = (files: FakeFiles) => {
    const left = bytes(Buffer.from(files.get(`${REPORT}.nonce`)?.bytes ?? []).toString());
    if (left !== null) files.set(REPORT, { kind: 'file', bytes: left });
    return exit;
  };
  const runs = openTestRuns({ sandbox: fakeSandbox(play), ledger, clock: fakeClock() });
  const request = requestFor(specFor('node-test'), { tree, files: ['test/a.ts'] });
  const { result } = await runs.run(request, signal);
  expect(reparse(result, ledger)).toEqual(result);
  return result;
}

const graded = (result: TestRunResult) =>
  gradeOfBuild(judgeRun(groups, { key: sha256('k'), result }, new Set()));

const sound = soundRecords('node-test', 'passed');
const whole: Bytes = (nonce) => sealedReport(nonce, sound);
const cutAt =
  (part: number): Bytes =>
  (nonce) => {
    const bytes = sealedReport(nonce, sound);
    return bytes.subarray(0, Math.floor(bytes.length * part));
  };
const asUtf16: Bytes = (nonce) => Buffer.from(sealedReport(nonce, sound).toString(), 'utf16le');
/** Only who knows the nonce can seal bytes that are no text. */
const noText: Bytes = (nonce) => {
  const json = Buffer.from([0xff, 0xfe, 0x7b]);
  const parts = [Buffer.from(`${nonce}\n\n`), json, Buffer.from(`\n${nonce}`)];
  return Buffer.concat([Buffer.from(`${sha256(Buffer.concat(parts))} `), json, Buffer.from('\n')]);
};

test.each<[string, Bytes, Partial<Exit>, TestRunResult['status']]>([
  ['is cut in its first line', cutAt(0.1), { code: 0 }, 'unreadable'],
  ['is cut in the middle', cutAt(0.6), { code: 1 }, 'crashed'],
  ['is cut before its last byte', cutAt(0.999), { code: 0 }, 'crashed'],
  ['is empty', () => new Uint8Array(), { code: 0 }, 'no-report'],
  ['is not there, and the runner printed nothing', () => null, { code: 0 }, 'no-report'],
  ['is a line end', () => Buffer.from('\n'), { code: 0 }, 'unreadable'],
  ['is in another encoding', asUtf16, { code: 0 }, 'unreadable'],
  ['is sealed and no text', noText, { code: 0 }, 'unreadable'],
  [
    'is followed by more',
    (n) => Buffer.concat([sealedReport(n, sound), Buffer.from('x')]),
    { code: 0 },
    'unreadable',
  ],
  ['is whole, and a signal ended the runner', whole, { code: null, signal: 'SIGKILL' }, 'crashed'],
  ['is whole, and a shell tells of a kill', whole, { code: 137 }, 'crashed'],
  ['is whole, and memory was used up', whole, { code: 0, outOf: 'memory' }, 'crashed'],
  ['is not there, and memory was used up', () => null, { code: null, outOf: 'memory' }, 'crashed'],
  ['is whole, and the time ran out', whole, { code: null, timedOut: true }, 'timed-out'],
])('a report that %s is no pass and no fault', async (_, bytes, exit, status) => {
  const result = await runOf(bytes, exit);
  expect(result.status).toBe(status);
  expect(graded(result)).toBe('failed');
});

test('a whole report is a pass', async () => {
  expect(graded(await runOf(whole))).toBe('passed');
});

test('a runner that was killed is told apart from one whose test failed', async () => {
  const failing: Bytes = (nonce) => sealedReport(nonce, soundRecords('node-test', 'failed'));
  expect(await runOf(failing, { code: 1 })).toMatchObject({ status: 'completed' });
  expect(await runOf(failing, { code: 137 })).toMatchObject({ status: 'crashed' });
  const starved = await runOf(failing, { code: 137, outOf: 'memory' });
  expect(starved).toMatchObject({ status: 'crashed', outOf: 'memory' });
});

test('a run in an image without Node says that nobody supervised it', async () => {
  expect(await runOf(whole)).not.toHaveProperty('unsupervised');
  const ledger = memoryLedger();
  const tree = keepTree(ledger, { 'test/a.ts': 'test' });
  const ended = { signal: null, timedOut: false, droppedBytes: 0 };
  const silent = { ...ended, stdout: new Uint8Array(), stderr: new Uint8Array() };
  const asked: string[] = [];
  const sandbox = fakeSandbox(() => ({}), {
    async exec(argv) {
      const isSupervisor = argv.some((word) => word.endsWith('supervise.mjs'));
      asked.push(isSupervisor ? 'supervisor' : 'runner');
      return { ...silent, code: isSupervisor ? 127 : 0 };
    },
  });
  const runs = openTestRuns({ sandbox, ledger, clock: fakeClock() });
  const request = requestFor(specFor('unittest'), { tree, files: ['test/a.ts'] });
  const { result } = await runs.run(request, signal);
  expect(asked).toEqual(['supervisor', 'runner']);
  expect(result).toMatchObject({ status: 'no-report', unsupervised: true });
});
