import type { TestReport, TestResult } from '../../schemas/test-report.ts';
import { normaliseId } from './id.ts';
import { parseRecord, type ReportRecord } from './record.ts';
import { openLines } from './sealed-lines.ts';

type Reading = {
  readonly results: Map<string, TestResult>;
  readonly collected: Set<string>;
  readonly started: Set<string>;
  hasEnded: boolean;
};
type Rules = { readonly runner: string; isIdOf(id: string, file: string): boolean };
type ResultRecord = Extract<ReportRecord, { type: 'result' }>;

/** Add one to a set; false where it is in it already. */
const isNew = (set: Set<string>, id: string): boolean => set.size !== set.add(id).size;

function takeResult(record: ResultRecord, reading: Reading, rules: Rules): boolean {
  const { id, file, line, status, message } = record;
  if (reading.results.has(id) || normaliseId(id) !== id || !rules.isIdOf(id, file)) return false;
  reading.results.set(id, { id, file, line, status, message });
  return true;
}

/** Whether a record may stand where it stands. */
function take(record: ReportRecord, reading: Reading, rules: Rules): boolean {
  if (reading.hasEnded || (record.type === 'hello') !== (record.n === 0)) return false;
  if (record.type === 'hello') return record.runner === rules.runner;
  if (record.type === 'collect') return isNew(reading.collected, record.id);
  if (record.type === 'start') {
    return !reading.results.has(record.id) && isNew(reading.started, record.id);
  }
  if (record.type === 'result') return takeResult(record, reading, rules);
  reading.hasEnded = true;
  return record.results === reading.results.size;
}

/** What was announced and has no result is `absent`, so that a reader sees where the run went dark. */
function withAbsent({ results, collected, started }: Reading): TestResult[] {
  const missing = [...new Set([...collected, ...started])].filter((id) => !results.has(id));
  const absent = missing.map((id): TestResult => {
    const message = started.has(id) ? 'started and never ended' : 'collected and never started';
    return { id, file: id.split(/ > |::/)[0] ?? id, line: null, status: 'absent', message };
  });
  const byId = ({ id: a }: TestResult, { id: b }: TestResult) => (a < b ? -1 : a > b ? 1 : 0);
  return [...results.values(), ...absent].toSorted(byId);
}

/**
 * The report that a stream holds, its results sorted by id. null: no such stream, or not ours alone:
 * a seal, number or order is wrong, an id occurs twice. `complete` is false where the end is missing.
 */
export function readStream(bytes: Uint8Array, nonce: string, rules: Rules): TestReport | null {
  const lines = openLines(bytes, nonce);
  if (!lines.ok || lines.texts.length === 0) return null;
  const reading: Reading = {
    results: new Map(),
    collected: new Set(),
    started: new Set(),
    hasEnded: false,
  };
  for (const [at, text] of lines.texts.entries()) {
    const record = parseRecord(text);
    if (record === null || record.n !== at || !take(record, reading, rules)) return null;
  }
  if (reading.hasEnded && lines.isCut) return null;
  const results = withAbsent(reading);
  const complete = reading.hasEnded && results.every(({ status }) => status !== 'absent');
  return { runner: rules.runner, complete, results };
}
