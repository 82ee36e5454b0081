import { describe, expect, test } from 'vitest';
import { Runner } from '../../../schemas/environment.ts';
import { TestRunResult } from '../../../schemas/test-run.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { reparse } from '../../../stages/test-reports/evidence.ts';
import { parsers } from '../../../stages/test-reports/registry.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { hasReportFixture, reportFixture } from '../../support/report-fixture.ts';
import { sealedReport, soundRecords } from '../../support/sealed-report.ts';

const blank = sha256('');
const resultWith = (parts: Partial<TestRunResult>) =>
  TestRunResult.parse({
    status: 'completed',
    exitCode: 0,
    signal: null,
    reportBlob: null,
    stdoutBlob: blank,
    stderrBlob: blank,
    droppedBytes: 0,
    durationMs: 1,
    drift: [],
    report: { runner: 'node-test', complete: true, results: [] },
    ...parts,
  });

/** The others are shown in test/pipeline/environments, each built with its registry. */
const kept = Runner.options.filter((runner) => hasReportFixture(runner));

describe.each(kept)('%s', (runner) => {
  const { evidence, expected } = reportFixture(runner);

  test('status and report of a real run are read again from its evidence', () => {
    const ledger = memoryLedger();
    const stored = resultWith({ reportBlob: ledger.put(evidence) });
    expect(reparse(stored, ledger)).toMatchObject(expected);
  });

  test('no single byte of its report can be changed unseen', () => {
    const start = evidence.indexOf('\n') + 1;
    const { nonce } = JSON.parse(evidence.subarray(0, start).toString());
    const bytes = evidence.subarray(start);
    expect(parsers[runner].parse(bytes, nonce)).toEqual(expected.report);
    for (let at = 0; at < bytes.length; at += 97) {
      const spoiled = Buffer.from(bytes);
      spoiled[at] = (spoiled[at] ?? 0) ^ 1;
      expect(parsers[runner].parse(spoiled, nonce), `byte ${at}`).not.toEqual(expected.report);
    }
  });

  test('the report of another runner is not read', () => {
    const other = runner === 'pytest' ? 'vitest' : 'pytest';
    const bytes = sealedReport('n', soundRecords(other, 'passed'));
    expect(parsers[runner].parse(bytes, 'n')).toBeNull();
  });
});

test('nothing parsed is no report, and never a list of failures', () => {
  const stored = resultWith({ reportBlob: null, exitCode: 0 });
  const again = reparse(stored, memoryLedger());
  expect(again).toMatchObject({ status: 'no-report', report: { complete: false, results: [] } });
});

test('a run that timed out before it reported stays timed out', () => {
  const stored = resultWith({ status: 'timed-out', exitCode: null });
  expect(reparse(stored, memoryLedger()).status).toBe('timed-out');
});
