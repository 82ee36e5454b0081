import type { TestResult } from '../../../schemas/test-report.ts';
import { normaliseId } from '../id.ts';
import { type Case, type ReportContext, worst } from './reading.ts';

/**
 * `between`: what joins the parts of an id. `repeats`: a name that comes again is another test (` #2`), or the same one told
 * again, of which the worst counts; then twice passed means that it was tried again.
 */
export type Naming = {
  readonly between: ' > ' | '::';
  readonly repeats: 'number' | 'same-test';
};

const temporary = /(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s'"`()[\]<>]+/g;
const times = /\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s)\b/gu;
/** Rust's words for a panic, which name the thread by a number of this run. */
const threads = /\b(thread '[^']{0,200}') \(\d+\)/g;
const MOST_OF_MESSAGE = 300;
/** Names beyond all reason would cost the rules for ids more than their length. */
const MOST_OF_TITLE = 5000;

/** Takes places out of texts. */
type Places = {
  /** The tree's own: what is left is a path in it. */
  root(text: string): string;
  /** And temporary ones. */
  all(text: string): string;
};

function placesOf({ root }: ReportContext): Places {
  const literal = root.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // A path that only ends like the tree's is another.
  const tree = new RegExp(`(?<![\\w.-])(?:file://)?${literal}/`, 'g');
  const withoutRoot = (text: string) =>
    root === '' || !text.includes(root) ? text : text.replace(tree, '');
  return { root: withoutRoot, all: (text) => withoutRoot(text).replace(temporary, '<tmp>') };
}

/** One line that says the same in every run, or null where nothing is said. */
function messageOf(text: string | null, places: Places): string | null {
  if (text === null) return null;
  const line = normaliseId(places.all(text.slice(0, 4000)))
    .replace(times, '<time>')
    .replace(threads, '$1');
  const cut = Array.from(line).slice(0, MOST_OF_MESSAGE).join('');
  return cut === '' ? null : cut;
}

function idOf(one: Case, places: Places, between: string): string {
  const { file, titles } = one;
  const names = titles.map((title) => places.all(title.slice(0, MOST_OF_TITLE)));
  const id = normaliseId((file === '' ? names : [file, ...names]).join(between));
  return id === '' ? '(no name)' : id;
}

function again(before: TestResult, now: TestResult): TestResult {
  const both = worst([before.status, now.status]);
  const status = both === 'passed' ? 'flaky' : both;
  return { ...before, status, message: before.message ?? now.message };
}

const byId = ({ id: a }: TestResult, { id: b }: TestResult) => (a < b ? -1 : a > b ? 1 : 0);

/** Results of the cases, sorted by id. Ids are unique, NFC, one line, and the same wherever the tree lies. */
export function nameCases(
  cases: readonly Case[],
  context: ReportContext,
  { between, repeats }: Naming,
): TestResult[] {
  const results = new Map<string, TestResult>();
  const counts = new Map<string, number>();
  const places = placesOf(context);
  const prefix = context.package === null ? '' : `${context.package} > `;
  for (const one of cases) {
    const file = places.root(one.file);
    const base = normaliseId(prefix + idOf({ ...one, file }, places, between));
    const message = one.status === 'passed' ? null : messageOf(one.message, places);
    const result: TestResult = { id: base, file, line: one.line, status: one.status, message };
    const before = results.get(base);
    if (before !== undefined && repeats === 'same-test') {
      results.set(base, again(before, result));
      continue;
    }
    let [id, count] = [base, counts.get(base) ?? 1];
    while (results.has(id)) id = `${base} #${++count}`;
    if (count > 1) counts.set(base, count);
    results.set(id, { ...result, id });
  }
  return [...results.values()].toSorted(byId);
}
