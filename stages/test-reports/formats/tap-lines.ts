import type { TestStatus } from '../../../schemas/test-report.ts';

/** A line of TAP at its level: four blanks deeper is one level more. Anything else is not the protocol's. */
export type TapLine =
  | { readonly kind: 'point'; readonly level: number; readonly point: TapPoint }
  | { readonly kind: 'plan'; readonly level: number; readonly planned: number }
  | { readonly kind: 'bail-out'; readonly why: string }
  | { readonly kind: 'other' };

/** `number` null where the line has none; `title` without its directive. */
export type TapPoint = {
  readonly isOk: boolean;
  readonly number: number | null;
  readonly title: string;
  readonly status: TestStatus;
  /** The older form in which a test's own tests stand between braces below it. */
  readonly opensBlock: boolean;
};

const pointOf = /^(not )?ok(?=\s|$)(?:\s+(\d+)(?=\s|$))?(?:\s+-(?=\s|$))?\s*(.*)$/;
const planOf = /^1\.\.(\d+)(?:\s*#.*)?\s*$/;
const bailOutOf = /^Bail out!\s*(.*)$/i;
/** The first sign that no backslash takes away. `time` is node-tap's; `EXPECTED FAILURE` node's. */
const directiveOf = /(?:^|\s)#\s*(skip|todo|expected failure|time=)/i;

const DEEPEST = 64;

const unescaped = (text: string) => text.replace(/\\([\\#])/g, '$1');

function statusOf(isOk: boolean, word: string): TestStatus {
  if (word === 'skip') return 'skipped';
  // Not yet done, and passing all the same, is news in TAP; an expected failure that did not come is `not ok`.
  if (word === 'todo') return isOk ? 'unexpected-pass' : 'expected-failure';
  if (word === 'expected failure') return isOk ? 'expected-failure' : 'unexpected-pass';
  return isOk ? 'passed' : 'failed';
}

function readPoint([, not, number, rest = '']: RegExpExecArray): TapPoint {
  const isOk = not === undefined;
  const opensBlock = /(?:^|\s)\{$/.test(rest);
  const directive = directiveOf.exec(rest);
  const title = unescaped(directive === null ? rest : rest.slice(0, directive.index)).trim();
  const status = statusOf(isOk, directive?.[1]?.toLowerCase() ?? '');
  return { isOk, number: number === undefined ? null : Number(number), title, status, opensBlock };
}

/** What a line says. Comments, versions and pragmas say nothing of tests. */
export function readTapLine(line: string): TapLine {
  const text = line.trimStart();
  const blanks = line.length - text.length;
  const bailOut = bailOutOf.exec(text);
  const level = blanks / 4;
  if (!Number.isInteger(level) || level > DEEPEST) return { kind: 'other' };
  if (bailOut !== null) return { kind: 'bail-out', why: bailOut[1] ?? '' };
  const point = pointOf.exec(text);
  if (point !== null) return { kind: 'point', level, point: readPoint(point) };
  const planned = planOf.exec(text)?.[1];
  return planned === undefined
    ? { kind: 'other' }
    : { kind: 'plan', level, planned: Number(planned) };
}
