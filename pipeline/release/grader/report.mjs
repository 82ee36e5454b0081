// The report stream of one suite run, read back: seals, numbers, order, counts and the exit code must all fit.
import { sha256 } from './tree.mjs';

const nothing = (reason) => ({ complete: false, reason, passed: new Set(), results: [] });

function parsed(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The records, or null where a line is not sealed by this run's nonce. */
function recordsOf(text, nonce) {
  let seal = '';
  const records = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const json = line.slice(65);
    seal = sha256([nonce, seal, json, nonce].join('\n'));
    if (line.slice(0, 65) !== `${seal} `) return null;
    const record = parsed(json);
    if (record?.n !== records.length) return null;
    records.push(record);
  }
  return records;
}

/** Whether the exit code says the same as the results. */
function agrees(code, statuses) {
  if (statuses.some((status) => status === 'failed' || status === 'error')) return code !== 0;
  return (
    code === 0 || statuses.some((status) => status === 'unexpected-pass' || status === 'flaky')
  );
}

/** Whether everything announced has one result, and the end counts them all. */
function isWhole(records, results) {
  const [first, last] = [records[0], records[records.length - 1]];
  if (first?.type !== 'hello' || last?.type !== 'end' || last.results !== results.length)
    return false;
  const ids = new Set(results.map(({ id }) => id));
  const announced = records.filter(({ type }) => type === 'collect' || type === 'start');
  return ids.size === results.length && announced.every(({ id }) => ids.has(id));
}

/**
 * The ids that passed. A report without its own end, or with one line that its nonce does not vouch for, proves nothing:
 * then no test has passed.
 */
export function readReport(bytes, nonce, { code, timedOut }) {
  if (timedOut) return nothing('build.timeout');
  if (bytes === null) return nothing('build.report-incomplete');
  const records = recordsOf(bytes.toString('utf8'), nonce);
  if (records === null) return nothing('build.report-conflict');
  const results = records.filter(({ type }) => type === 'result');
  if (!isWhole(records, results)) return nothing('build.report-incomplete');
  const statuses = results.map(({ status }) => status);
  if (results.length === 0 || !agrees(code, statuses)) return nothing('build.exit');
  const passed = results.filter(({ status }) => status === 'passed').map(({ id }) => id);
  return { complete: true, reason: null, passed: new Set(passed), results };
}
