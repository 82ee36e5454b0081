import { sha256 } from '../../stages/contract/canonical-json.ts';

/** Records as a reporter writes them: numbered from 0, each line sealed by the nonce and the line before. */
export function sealedReport(nonce: string, records: readonly Record<string, unknown>[]): Buffer {
  let seal = '';
  const lines = records.map((record, n) => {
    const json = JSON.stringify({ n, ...record });
    seal = sha256([nonce, seal, json, nonce].join('\n'));
    return `${seal} ${json}\n`;
  });
  return Buffer.from(lines.join(''));
}

/** The records of a small sound report: one result per status, named by it. */
export function soundRecords(runner: string, ...statuses: readonly string[]) {
  const results = statuses.map((status, at) => ({
    type: 'result',
    id: `a.test > ${status} ${at}`,
    file: 'a.test',
    line: at + 1,
    status,
    message: null,
  }));
  const hello = { type: 'hello', runner, version: '1' };
  return [hello, ...results, { type: 'end', results: results.length }];
}
