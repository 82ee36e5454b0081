import { z } from 'zod';
import type { TestStatus } from '../../../schemas/test-report.ts';
import { readJson } from './json.ts';
import type { Case, Part } from './reading.ts';

const Test = z.object({
  title: z.string(),
  fullTitle: z.string(),
  file: z.string().nullish(),
  currentRetry: z.number().nullish(),
  err: z.record(z.string(), z.unknown()).nullish(),
});
type Test = z.infer<typeof Test>;

const tests = z.array(Test);
const count = z.number();
const Report = z.object({
  stats: z.object({ tests: count, passes: count, pending: count, failures: count }),
  tests,
  passes: tests,
  pending: tests,
  failures: tests,
});
type Report = z.infer<typeof Report>;

const keyOf = ({ file, fullTitle }: Test) => JSON.stringify([file ?? '', fullTitle]);
const hasError = ({ err }: Test) => Object.keys(err ?? {}).length > 0;

function countOf(list: readonly Test[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

const eachHook = /^(.*)"(?:before|after) each" hook(?::.*)? for "(.*)"$/s;
const MOST_OF_TITLE = 5000;

/** Titles of the tests that hooks around each test broke, with the beginnings of their full titles. */
function hurtBy(hooks: readonly Test[]): Map<string, string[]> {
  const hurt = new Map<string, string[]>();
  for (const { fullTitle } of hooks) {
    const [, suite, title] = eachHook.exec(fullTitle.slice(0, MOST_OF_TITLE)) ?? [];
    if (suite === undefined || title === undefined) continue;
    hurt.set(title, [...(hurt.get(title) ?? []), suite]);
  }
  return hurt;
}

/** Titles are joined by blanks, so the suite of a hook is known by its beginning alone. */
const isHurt = ({ title, fullTitle }: Test, hurt: ReadonlyMap<string, readonly string[]>) =>
  hurt.get(title)?.some((suite) => fullTitle.startsWith(suite)) === true;

const messageOf = (one: Test | undefined): string | null => {
  const message = one?.err?.message;
  return typeof message === 'string' ? message : null;
};

type Lists = {
  readonly passed: ReadonlyMap<string, number>;
  readonly skipped: ReadonlyMap<string, number>;
  readonly failed: ReadonlyMap<string, number>;
  /** Tests that carry an error. */
  readonly broken: ReadonlyMap<string, number>;
  readonly hurt: ReadonlyMap<string, readonly string[]>;
};

/** Equal titles stand in the lists without saying which of them is meant; a failure is then believed of all. */
function statusOf(one: Test, { passed, skipped, failed, broken, hurt }: Lists): TestStatus {
  const key = keyOf(one);
  const times = failed.get(key) ?? 0;
  // A test that ended twice has passed and failed.
  if (times > (broken.get(key) ?? 0)) return 'failed';
  if (hasError(one)) return times > 0 ? 'failed' : 'error';
  if (isHurt(one, hurt)) return 'error';
  if (skipped.has(key)) return 'skipped';
  if (!passed.has(key)) return 'error';
  return (one.currentRetry ?? 0) > 0 ? 'flaky' : 'passed';
}

function casesOf({ tests: all, passes, pending, failures }: Report): Case[] {
  const known = countOf(all);
  // Failures that are no tests are hooks.
  const hooks = failures.filter((one) => !known.has(keyOf(one)));
  const lists: Lists = {
    passed: countOf(passes),
    skipped: countOf(pending),
    failed: countOf(failures),
    broken: countOf(all.filter(hasError)),
    hurt: hurtBy(hooks),
  };
  const caseOf = (one: Test, status: TestStatus): Case => ({
    file: one.file ?? '',
    titles: [one.fullTitle],
    line: null,
    status,
    message: messageOf(one),
  });
  return [
    ...all.map((one) => caseOf(one, statusOf(one, lists))),
    // A hook around a suite hides the suite's tests, which stay absent.
    ...hooks.map((one) => caseOf(one, 'error')),
  ];
}

/** What mocha's `json` reporter writes. */
export function readMochaJson(text: string): Part {
  const json = readJson(text);
  if (!json.ok) {
    return json.end === 'cut'
      ? { bad: 'crashed', why: 'the report is cut' }
      : { bad: 'unreadable', why: 'the report is no JSON' };
  }
  const report = Report.safeParse(json.value).data;
  if (report === undefined) return { bad: 'unreadable', why: 'no mocha wrote this JSON' };
  const lists = ['tests', 'passes', 'pending', 'failures'] as const;
  const wrong = lists.find((name) => report[name].length !== report.stats[name]);
  const crash =
    wrong === undefined
      ? null
      : `${report.stats[wrong]} ${wrong} are counted, ${report[wrong].length} told`;
  return { cases: casesOf(report), crash };
}
