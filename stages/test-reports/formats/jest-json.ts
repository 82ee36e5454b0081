import { z } from 'zod';
import type { TestStatus } from '../../../schemas/test-report.ts';
import { readJson } from './json.ts';
import type { Case, Part } from './reading.ts';

const texts = z.array(z.string());
const Assertion = z.object({
  ancestorTitles: texts,
  title: z.string(),
  status: z.string(),
  failureMessages: texts.nullish(),
  location: z.object({ line: z.number().int().positive() }).nullish(),
  /** jest alone says these two. */
  invocations: z.number().nullish(),
  failing: z.boolean().nullish(),
});
type Assertion = z.infer<typeof Assertion>;

const File = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  assertionResults: z.array(Assertion),
});
type File = z.infer<typeof File>;

const Report = z.object({
  numTotalTests: z.number(),
  wasInterrupted: z.boolean().nullish(),
  testResults: z.array(File),
});

const words: ReadonlyMap<string, TestStatus> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['pending', 'skipped'],
  ['todo', 'skipped'],
  ['disabled', 'skipped'],
]);

const unexpected = /(?:^|Error: )(?:Expect test to fail|Failing test passed even though)/;

/** A pass with a failure beside it, or at a later call, was tried again: vitest says the first, jest the second. */
function statusOf({ status, failing, invocations, failureMessages }: Assertion): TestStatus {
  const word = words.get(status) ?? 'error';
  const messages = failureMessages ?? [];
  if (word === 'failed') {
    return messages.some((message) => unexpected.test(message)) ? 'unexpected-pass' : 'failed';
  }
  if (word !== 'passed') return word;
  if (failing === true) return 'expected-failure';
  return (invocations ?? 1) > 1 || messages.length > 0 ? 'flaky' : 'passed';
}

/** A file that failed and names no test that did broke by itself: in its modules, or in a hook around all its tests. */
function ofFile({ name, status, message, assertionResults }: File): Case[] {
  const cases = assertionResults.map(
    (one): Case => ({
      file: name,
      titles: [...one.ancestorTitles, one.title],
      line: one.location?.line ?? null,
      status: statusOf(one),
      message: one.failureMessages?.[0] ?? null,
    }),
  );
  const isTold = cases.some((one) => ['failed', 'unexpected-pass', 'error'].includes(one.status));
  if (status === 'passed' || isTold) return cases;
  const itself: Case = {
    file: name,
    titles: [],
    line: null,
    status: 'error',
    message: message || 'the file failed outside of its tests',
  };
  return [itself, ...cases];
}

/** What `jest --json` and vitest's `json` reporter write. */
export function readJestJson(text: string): Part {
  const json = readJson(text);
  if (!json.ok) {
    return json.end === 'cut'
      ? { bad: 'crashed', why: 'the report is cut' }
      : { bad: 'unreadable', why: 'the report is no JSON' };
  }
  const report = Report.safeParse(json.value).data;
  if (report === undefined) return { bad: 'unreadable', why: 'no jest or vitest wrote this JSON' };
  const told = report.testResults.reduce((sum, file) => sum + file.assertionResults.length, 0);
  const cases = report.testResults.flatMap(ofFile);
  if (report.wasInterrupted === true) return { cases, crash: 'the run was interrupted' };
  const { numTotalTests } = report;
  const crash = told === numTotalTests ? null : `${numTotalTests} tests are counted, ${told} told`;
  return { cases, crash };
}
