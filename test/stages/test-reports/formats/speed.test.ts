/** @module-tag slow */
import { expect, test } from 'vitest';
import {
  type ReportFormatName,
  reportFormats,
} from '../../../../stages/test-reports/formats/registry.ts';

const TESTS = 100_000;
const MOST_MS = 3000;
const here = { root: '/work', package: null };
const lines = (line: (at: number) => string) => Array.from({ length: TESTS }, (_, at) => line(at));
const go = (Action: string, at: number) =>
  JSON.stringify({ Action, Package: 'p', Test: `Test${at}` });

const large: Partial<Record<ReportFormatName, () => string>> = {
  junit: () =>
    `<testsuites><testsuite name="s">${lines((at) => `<testcase classname="c" name="t ${at % 1000}"/>`).join('\n')}</testsuite></testsuites>`,
  tap: () =>
    `${lines((at) => `ok ${at + 1} - t ${at}\n  ---\n  duration_ms: 1\n  ...`).join('\n')}\n1..${TESTS}\n`,
  'go-json': () =>
    `${lines((at) => `${go('run', at)}\n${go('pass', at)}`).join('\n')}\n{"Action":"pass","Package":"p"}\n`,
  'cargo-text': () =>
    `running ${TESTS} tests\n${lines((at) => `test t${at} ... ok`).join('\n')}\ntest result: ok. ${TESTS} passed; 0 failed; 0 ignored;\n`,
  'jest-json': () =>
    JSON.stringify({
      numTotalTests: TESTS,
      testResults: [
        {
          name: '/work/a.js',
          status: 'passed',
          assertionResults: lines((at) => `t ${at}`).map((title) => ({
            ancestorTitles: ['suite'],
            title,
            status: 'passed',
          })),
        },
      ],
    }),
};

test.each(Object.entries(large))(
  '%s: a hundred thousand tests are read within three seconds',
  (name, make) => {
    const bytes = new TextEncoder().encode(make());
    // The machine's other work is not the parser's: what counts is the processor's time.
    const before = process.cpuUsage();
    const { status, results } = reportFormats[name as ReportFormatName]([bytes], here);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    expect(status).toBe('completed');
    expect(results).toHaveLength(TESTS);
    expect(ms).toBeLessThan(MOST_MS);
  },
);
