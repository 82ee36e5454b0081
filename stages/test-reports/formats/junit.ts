import type { TestStatus } from '../../../schemas/test-report.ts';
import type { Case, Part } from './reading.ts';
import { worst } from './reading.ts';
import { readXml, type XmlHandler } from './xml.ts';

type Attributes = Readonly<Record<string, string>>;

/** What stands in a test's element: `failure`, `skipped` or whatever the runner says. `text` is cut. */
type Mark = {
  readonly name: string;
  readonly attributes: Attributes;
  readonly text: string;
};

/** A test's element, with the attributes of the suites around it from the outermost. */
export type JunitCase = {
  readonly attributes: Attributes;
  readonly suites: readonly Attributes[];
  readonly marks: readonly Mark[];
};

/** How one runner uses the format. `locate` names a test; `statusOf` is asked after the common rules. */
export type Dialect = {
  locate(one: JunitCase): { readonly file: string; readonly titles: readonly string[] };
  statusOf?(one: JunitCase, status: TestStatus): TestStatus;
  /** What the runner calls the first line; 1 by default. */
  readonly firstLine?: 0 | 1;
};

const silent = new Set(['properties', 'system-out', 'system-err']);
const MOST_TEXT = 2000;

const statusOfMark: ReadonlyMap<string, TestStatus> = new Map([
  ['failure', 'failed'],
  ['error', 'error'],
  ['skipped', 'skipped'],
  ['flakyFailure', 'flaky'],
  ['flakyError', 'flaky'],
  ['rerunFailure', 'flaky'],
  ['rerunError', 'flaky'],
]);

const statusOfWord: ReadonlyMap<string, TestStatus> = new Map([
  ['run', 'passed'],
  ['passed', 'passed'],
  ['completed', 'passed'],
  ['skipped', 'skipped'],
  ['disabled', 'skipped'],
  ['suppressed', 'skipped'],
  ['notrun', 'error'],
  ['fail', 'failed'],
  ['failed', 'failed'],
]);

/** By the marks, and by words of the attributes where they say something worse. A mark or word nobody knows is an error. */
function commonStatus({ attributes, marks }: JunitCase): TestStatus {
  const words = [attributes.status, attributes.result].filter((word) => word !== undefined);
  return worst([
    'passed',
    ...marks.map(({ name }) => statusOfMark.get(name) ?? 'error'),
    ...words.map((word) => statusOfWord.get(word.toLowerCase()) ?? 'error'),
  ]);
}

const messageOf = ({ attributes, text }: Mark): string | null =>
  attributes.message?.trim() || text.trim() || null;

function caseOf(one: JunitCase, dialect: Dialect): Case {
  const status = commonStatus(one);
  const line = Number(one.attributes.line || Number.NaN) + 1 - (dialect.firstLine ?? 1);
  const said = one.marks.map(messageOf).find((message) => message !== null);
  return {
    ...dialect.locate(one),
    line: Number.isInteger(line) && line > 0 ? line : null,
    status: dialect.statusOf?.(one, status) ?? status,
    message: said ?? null,
  };
}

type Found = { readonly cases: JunitCase[]; root: string; counted: number };
type Open<T> = T & { readonly depth: number };
type State = {
  readonly found: Found;
  readonly suites: Attributes[];
  test: Open<{ readonly attributes: Attributes; readonly marks: Mark[] }> | null;
  mark: Open<{ readonly name: string; readonly attributes: Attributes; text: string }> | null;
  depth: number;
};

function openSuite({ suites, found }: State, attributes: Attributes): void {
  suites.push(attributes);
  const { failures = 0, errors = 0 } = attributes;
  found.counted += Number(failures) + Number(errors);
}

function open(state: State, name: string, attributes: Attributes): void {
  const depth = ++state.depth;
  const { test, mark, found } = state;
  if (depth === 1) found.root = name;
  if (mark !== null) return;
  const mayMark = test === null ? isBroken(name) : depth === test.depth + 1 && !silent.has(name);
  if (mayMark) state.mark = { name, attributes, text: '', depth };
  else if (test === null && name === 'testcase') state.test = { attributes, marks: [], depth };
  else if (test === null && name === 'testsuite') openSuite(state, attributes);
}

const isBroken = (name: string) => name === 'failure' || name === 'error';

/** A mark that stands in a suite itself belongs to the suite: something broke outside of tests. */
function closeMark({ test, suites, found }: State, mark: Mark): void {
  if (test !== null) {
    test.marks.push(mark);
    return;
  }
  const attributes = { name: '', classname: suites.at(-1)?.name ?? '' };
  found.cases.push({ attributes, suites: [...suites], marks: [mark] });
}

function close(state: State, name: string): void {
  const { depth, mark, test, suites, found } = state;
  if (mark?.depth === depth) {
    state.mark = null;
    closeMark(state, mark);
  } else if (test?.depth === depth) {
    state.test = null;
    found.cases.push({ attributes: test.attributes, suites: [...suites], marks: test.marks });
  } else if (name === 'testsuite' && mark === null && test === null) suites.pop();
  state.depth--;
}

/** Puts the elements of tests together in `found`. */
function gather(found: Found): XmlHandler {
  const state: State = { found, suites: [], test: null, mark: null, depth: 0 };
  return {
    open: (name, attributes) => open(state, name, attributes),
    text(text) {
      const { mark } = state;
      if (mark !== null && mark.text.length < MOST_TEXT) mark.text += text.slice(0, MOST_TEXT);
    },
    close: (name) => close(state, name),
  };
}

/** The tests of one JUnit XML document as one runner writes it. */
export function readJunit(text: string, dialect: Dialect): Part {
  const found: Found = { cases: [], root: '', counted: 0 };
  const { end, why } = readXml(text, gather(found));
  if (end === 'cut') return { bad: 'crashed', why: `the document is cut: ${why}` };
  if (end === 'bad') return { bad: 'unreadable', why: `the document is no XML: ${why}` };
  if (found.root !== 'testsuites' && found.root !== 'testsuite') {
    return {
      bad: 'unreadable',
      why: `a JUnit report begins with "testsuites", not "${found.root}"`,
    };
  }
  const cases = found.cases.map((one) => caseOf(one, dialect));
  const hasBroken = found.cases.some(({ marks }) => marks.some(({ name }) => name !== 'skipped'));
  const crash =
    found.counted > 0 && !hasBroken ? 'failures are counted, and no test has one' : null;
  return { cases, crash };
}
