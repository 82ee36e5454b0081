import { z } from 'zod';
import type { TestStatus } from '../../../schemas/test-report.ts';
import { readJson } from './json.ts';
import { wholeLines } from './lines.ts';
import { type Case, type Part, worst } from './reading.ts';

const Event = z.object({
  Action: z.string(),
  Package: z.string().nullish(),
  Test: z.string().nullish(),
  Output: z.string().nullish(),
  FailedBuild: z.string().nullish(),
});
type Event = z.infer<typeof Event>;

type Package = {
  /** Null while a test has begun and not ended. */
  readonly tests: Map<string, TestStatus | null>;
  readonly said: Map<string, string>;
  end: string | null;
  isUnbuilt: boolean;
};

const ends: ReadonlyMap<string, TestStatus> = new Map([
  ['pass', 'passed'],
  ['bench', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
]);
const steps = new Set(['start', 'run', 'pause', 'cont', 'output', 'attr', 'artifacts']);
/** What the tool itself prints around a test; the rest of its output tells the reason. */
const frame = /^\s*(?:=== |--- |FAIL\b|PASS\b|ok\s|$)/;

function hear(one: Package, { Action: action, Test: test, Output: output }: Event): void {
  const end = ends.get(action);
  const name = test ?? '';
  if (action === 'output' && output != null && !frame.test(output) && !one.said.has(name)) {
    one.said.set(name, output);
  }
  if (test == null) {
    if (end !== undefined) one.end = action;
    return;
  }
  const before = one.tests.get(test);
  // Repeated by -count: one failure is enough.
  if (end !== undefined) one.tests.set(test, before == null ? end : worst([before, end]));
  else if (!steps.has(action)) one.tests.set(test, 'error');
  else if (action === 'run' && before === undefined) one.tests.set(test, null);
}

function casesOf(name: string, one: Package): Case[] {
  const cases = [...one.tests].map(([test, status]): Case => {
    const at = { file: '', titles: [name, test], line: null };
    if (status === null) return { ...at, status: 'error', message: 'started and never ended' };
    // Without the package's end nobody knows whether -count would have run it again.
    const isOpen = one.end === null && status === 'passed';
    return { ...at, status: isOpen ? 'absent' : status, message: one.said.get(test) ?? null };
  });
  const isTold = cases.some(({ status }) => status === 'failed' || status === 'error');
  if (one.end !== 'fail' || (isTold && !one.isUnbuilt)) return cases;
  // It could not be built, or broke outside of its tests; a failed build has no test to say so.
  const message = one.isUnbuilt ? 'the package could not be built' : (one.said.get('') ?? null);
  return [{ file: '', titles: [name], line: null, status: 'error', message }, ...cases];
}

/** The events, or the first line that begins like one and is none. Other lines are what builds print. */
function eventsOf(lines: readonly string[]): { events: Event[]; wrong: number | null } {
  const events: Event[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('{')) continue;
    const json = readJson(line);
    const event = json.ok ? Event.safeParse(json.value).data : undefined;
    if (event === undefined) return { events, wrong: at + 1 };
    events.push(event);
  }
  return { events, wrong: null };
}

/** What `go test -json` writes: one event a line. */
export function readGoJson(text: string): Part {
  const { lines, isCut } = wholeLines(text);
  const { events, wrong } = eventsOf(lines);
  if (wrong !== null) return { bad: 'unreadable', why: `line ${wrong} is no event of go test` };
  if (events.length === 0 && !isCut)
    return { bad: 'unreadable', why: 'no event of go test is in it' };
  const packages = new Map<string, Package>();
  for (const event of events) {
    if (event.Package == null) continue;
    const one = packages.get(event.Package) ?? {
      tests: new Map(),
      said: new Map(),
      end: null,
      isUnbuilt: false,
    };
    packages.set(event.Package, one);
    one.isUnbuilt ||= event.FailedBuild != null;
    hear(one, event);
  }
  const cases = [...packages].flatMap(([name, one]) => casesOf(name, one));
  if (isCut) return { cases, crash: 'the last line is cut' };
  const open = [...packages].find(([, one]) => one.end === null);
  const crash = open === undefined ? null : `package ${open[0]} has no end`;
  return { cases, crash };
}
