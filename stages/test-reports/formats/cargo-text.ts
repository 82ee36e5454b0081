import type { TestStatus } from '../../../schemas/test-report.ts';
import { wholeLines } from './lines.ts';
import { type Case, type Part, worst } from './reading.ts';

type Block = { readonly expected: number; readonly cases: Case[] };
type State = {
  binary: readonly string[];
  block: Block | null;
  cases: Case[];
  crash: string | null;
};

const running = /^ {3,}Running (?:unittests )?(\S.*?) \((.*)\)$/;
const docTests = /^ {3,}Doc-tests (\S+)$/;
const begin = /^running (\d+) tests?$/;
const result = /^test (\S.*) \.\.\. (ok|FAILED|ignored)(?:, .*)?$/;
const summary = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/;

const words: ReadonlyMap<string, TestStatus> = new Map([
  ['ok', 'passed'],
  ['FAILED', 'failed'],
  ['ignored', 'skipped'],
]);

/** `target/debug/deps/name-0123456789abcdef`: the hash is another with each compiler. */
const stemOf = (path: string) =>
  (path.split(/[\\/]/).at(-1) ?? path).replace(/(?:-[0-9a-f]{16})?(?:\.exe)?$/, '');

/** Remarks are no part of a name; the line of an example in a comment moves with every edit above it. */
const nameOf = (text: string) =>
  text.replace(/ - (?:should panic|compile|compile fail)$/, '').replace(/ \(line \d+\)/, '');

function binaryOf(line: string): readonly string[] | null {
  const [, path, program] = running.exec(line) ?? [];
  if (path !== undefined && program !== undefined) return [stemOf(program), path];
  const crate = docTests.exec(line)?.[1];
  return crate === undefined ? null : [crate, 'doc-tests'];
}

function takeResult({ binary, block }: State, line: string): void {
  const [, text, word] = result.exec(line) ?? [];
  if (block === null || text === undefined || word === undefined) return;
  const status = words.get(word) ?? 'error';
  block.cases.push({
    file: '',
    titles: [...binary, nameOf(text)],
    line: null,
    status,
    message: null,
  });
}

/** Whether a summary counts what was read; captured output between the results and the summary may hold others. */
function isSummaryOf(line: string, { cases }: Block): boolean {
  const [, ...counts] = summary.exec(line) ?? [];
  const read = ['passed', 'failed', 'skipped'].map(
    (status) => cases.filter((one) => one.status === status).length,
  );
  return counts.length === 3 && counts.every((count, at) => Number(count) === read[at]);
}

function outside(state: State, line: string): void {
  state.binary = binaryOf(line) ?? state.binary;
  const expected = begin.exec(line)?.[1];
  if (expected !== undefined) state.block = { expected: Number(expected), cases: [] };
  if (summary.test(line)) state.crash ??= 'a summary stands outside of its tests';
}

function hear(state: State, line: string): void {
  const { block } = state;
  if (block === null) outside(state, line);
  else if (block.cases.length < block.expected) {
    if (summary.test(line)) state.crash ??= 'a summary comes before its tests do';
    takeResult(state, line);
  } else if (isSummaryOf(line, block)) {
    for (const one of block.cases) state.cases.push(one);
    state.block = null;
  }
}

const isExample = ({ titles }: Case) => titles.at(-2) === 'doc-tests';

/** Examples of one item have no names of their own and end in any order: together they are one test. */
function joinExamples(cases: readonly Case[]): Case[] {
  const seen = new Map<string, Case>();
  for (const [at, one] of cases.entries()) {
    const key = isExample(one) ? JSON.stringify(one.titles) : String(at);
    const before = seen.get(key);
    seen.set(key, before ? { ...before, status: worst([before.status, one.status]) } : one);
  }
  return [...seen.values()];
}

/**
 * What `cargo test` prints, both streams in one: the names of the binaries come on the second. Low trust: a test that prints the
 * same words, uncaptured, is told from the runner by counts alone.
 */
export function readCargoText(text: string): Part {
  // A report of nextest quotes the very lines that are looked for here.
  if (text.startsWith('<?xml')) return { bad: 'unreadable', why: 'cargo test prints no XML' };
  const { lines, isCut } = wholeLines(text);
  const state: State = { binary: [], block: null, cases: [], crash: null };
  for (const line of lines) hear(state, line);
  const begun = state.block?.cases.filter((one) => !isExample(one)) ?? [];
  const cases = joinExamples([...state.cases, ...begun]);
  if (isCut) return { cases, crash: 'the last line is cut' };
  if (state.block !== null) return { cases, crash: 'a binary ended without its summary' };
  return { cases, crash: state.crash };
}
