import type { TestStatus } from '../../../schemas/test-report.ts';
import { wholeLines } from './lines.ts';
import type { Case, Part } from './reading.ts';
import { readTapLine, type TapPoint } from './tap-lines.ts';

/** Points that stand together. `planned` null until the plan comes; a second plan is a mismatch. */
type Level = { planned: number | null; points: Node[]; isTwice: boolean };
type Node = TapPoint & { readonly below: Level | null; readonly diagnosis: Map<string, string> };
type State = {
  levels: Level[];
  last: { node: Node; level: number } | null;
  inDiagnosis: boolean;
  crash: string | null;
};

const newLevel = (): Level => ({ planned: null, points: [], isTwice: false });

/** Why the points of a level are not those of its plan, or null. */
function mismatch({ planned, points, isTwice }: Level): string | null {
  if (isTwice) return 'there are two plans';
  if (planned === null) return 'the plan is missing';
  if (planned !== points.length) return `${planned} tests are planned, ${points.length} told`;
  const numbers = points.map(({ number }, at) => number ?? at + 1);
  const isSound = new Set(numbers).size === planned && numbers.every((n) => n >= 1 && n <= planned);
  return isSound ? null : 'the numbers are not those of the plan';
}

/** The level a line belongs to; those between it and the tests so far were only announced. */
function levelAt(state: State, level: number): Level {
  while (state.levels.length <= level) state.levels.push(newLevel());
  return state.levels[level] ?? newLevel();
}

function takePoint(state: State, level: number, point: TapPoint): void {
  if (point.opensBlock) state.crash ??= 'tests between braces are not read';
  if (state.levels.length > level + 2) state.crash ??= 'tests stand below none';
  const below = state.levels[level + 1] ?? null;
  const node: Node = { ...point, below, diagnosis: new Map() };
  levelAt(state, level).points.push(node);
  state.levels.length = level + 1;
  state.last = { node, level };
}

function takePlan(state: State, level: number, planned: number): void {
  const here = levelAt(state, level);
  here.isTwice ||= here.planned !== null;
  here.planned = planned;
}

/** A value on its own line; `|` and `>` begin one of many. */
const keyed = /^([A-Za-z_]\w*): (?![|>])'?([^']*)'?$/;

/** A block of YAML below a test point: swallowed whole, so that nothing in it is taken for a test. */
function takeDiagnosis(state: State, line: string): boolean {
  const { last } = state;
  if (last === null) return false;
  const indent = ' '.repeat(last.level * 4 + 2);
  if (state.inDiagnosis) {
    state.inDiagnosis = line !== `${indent}...`;
    const [, key, value] = keyed.exec(line.slice(indent.length)) ?? [];
    if (line.startsWith(indent) && key !== undefined && value !== undefined) {
      last.node.diagnosis.set(key, value);
    }
    return true;
  }
  state.inDiagnosis = line === `${indent}---`;
  return state.inDiagnosis;
}

function hear(state: State, line: string): void {
  if (takeDiagnosis(state, line)) return;
  if (line.trim() !== '') state.last = null;
  const said = readTapLine(line);
  if (said.kind === 'point') takePoint(state, said.level, said.point);
  else if (said.kind === 'plan') takePlan(state, said.level, said.planned);
  else if (said.kind === 'bail-out') state.crash ??= `the runner bailed out: ${said.why}`;
}

const bad: ReadonlySet<TestStatus> = new Set(['failed', 'error', 'unexpected-pass']);

/** node says why: a failure that no assertion made, in a hook, by a time limit, by a parent that ended, is an error. */
function ownStatus({ status, diagnosis }: Node): TestStatus {
  const type = diagnosis.get('failureType');
  if (status !== 'failed' || type === undefined || type === 'subtestsFailed') return status;
  return type === 'testCodeFailure' && diagnosis.get('code') === 'ERR_ASSERTION'
    ? 'failed'
    : 'error';
}

/** Why a point with tests below it broke by itself, or null. */
function ownReason(
  node: Node,
  below: Level,
  cases: readonly Case[],
): { readonly why: string | null } | null {
  const wrong = mismatch(below);
  if (wrong !== null) return { why: wrong };
  const reason = node.diagnosis.get('failureType') ?? 'subtestsFailed';
  const isBroken = reason !== 'subtestsFailed' || !cases.some(({ status }) => bad.has(status));
  return node.status === 'failed' && isBroken ? { why: wordsOf(node) } : null;
}

/** node says of every point how long it took, and marks suites; before version 22 it marks nothing else. */
const isNodeTest = (diagnosis: ReadonlyMap<string, string>) =>
  diagnosis.has('duration_ms') && diagnosis.get('type') !== 'suite';

/** node tells a file that ended before its first test, or has none, as a test of that name which passed. */
const isEarlyFile = ({ title, diagnosis, isOk }: Node) =>
  isOk && isNodeTest(diagnosis) && /^\S+\.[cm]?[jt]sx?$/.test(title);

const wordsOf = ({ diagnosis }: Node) => diagnosis.get('error') ?? diagnosis.get('message') ?? null;

/**
 * A point with tests below it is a suite and no test, unless node says so. It counts where it broke by itself: nothing below is
 * bad, its plan does not fit, or node names another reason than the tests below.
 */
function casesOf(node: Node, above: readonly string[], at: number): Case[] {
  const titles = [...above, node.title === '' ? `test ${node.number ?? at + 1}` : node.title];
  const place = { file: '', titles, line: null };
  const itself: Case = { ...place, status: ownStatus(node), message: wordsOf(node) };
  if (node.below === null && !isEarlyFile(node)) return [itself];
  if (node.below === null) return [{ ...itself, status: 'error', message: 'the file has no test' }];
  const below = node.below.points.flatMap((one, index) => casesOf(one, titles, index));
  const reason = ownReason(node, node.below, below);
  const isTest = isNodeTest(node.diagnosis);
  if (isTest && (reason === null || node.status === 'failed')) return [itself, ...below];
  if (reason === null) return below;
  return [{ ...place, status: 'error', message: reason.why }, ...below];
}

/** TAP 12, 13 and 14. A number is the order in which tests ended and no part of an id, but where a test has no other name. */
export function readTap(text: string): Part {
  const { lines, isCut } = wholeLines(text);
  const state: State = { levels: [], last: null, inDiagnosis: false, crash: null };
  for (const line of lines) hear(state, line);
  const top = state.levels[0];
  if (top === undefined && state.crash === null && !isCut) {
    return { bad: 'unreadable', why: 'no line of TAP is in it' };
  }
  const cases = top?.points.flatMap((node, at) => casesOf(node, [], at)) ?? [];
  const orphan = state.levels.length > 1 ? 'tests stand below none' : null;
  const open = state.inDiagnosis ? 'a diagnosis has no end' : null;
  const wrong = top === undefined ? null : mismatch(top);
  const crash = isCut ? 'the last line is cut' : (state.crash ?? open ?? orphan ?? wrong);
  return { cases, crash };
}
