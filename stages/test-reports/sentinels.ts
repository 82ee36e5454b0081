/** What must be found again in a report: the two names, and by file how many pairs were set behind it. */
export type Sentinels = {
  readonly good: string;
  readonly bad: string;
  readonly files: readonly { readonly path: string; readonly kinds: number }[];
};

type Seen = { readonly id: string; readonly file: string; readonly status: string };

/** `held`; `bent`: somebody rewrote outcomes; `lost`: a file ended before its sentinels, as a crash has it. */
export type SentinelVerdict =
  | { readonly verdict: 'held' | 'lost' }
  | { readonly verdict: 'bent'; readonly detail: string };

const held = { verdict: 'held' } as const;
const lost = { verdict: 'lost' } as const;
const bent = (path: string, what: string) =>
  ({ verdict: 'bent', detail: `${path}: ${what}` }) as const;

/** A test that must fail and is said to have passed in any way at all. */
const saysPassed = new Set(['passed', 'flaky', 'unexpected-pass']);
/** What an honest run makes of it; `error` is a hook of the file that broke first. */
const saysFailed = new Set(['failed', 'error']);

const isSentinel = ({ id }: Seen, { good, bad }: Sentinels) =>
  id.includes(good) || id.includes(bad);

type Run = { readonly complete: boolean; readonly code: number | null };

/** Results by file; a report may hold a hundred thousand of them in as many files. */
function byFile(results: readonly Seen[]): ReadonlyMap<string, readonly Seen[]> {
  const found = new Map<string, Seen[]>();
  for (const one of results) {
    const own = found.get(one.file);
    if (own === undefined) found.set(one.file, [one]);
    else own.push(one);
  }
  return found;
}

function ofFile(
  own: readonly Seen[],
  sentinels: Sentinels,
  { path, kinds }: Sentinels['files'][number],
  { complete, code }: Run,
): SentinelVerdict {
  const named = (name: string) =>
    own.filter(({ id, status }) => id.includes(name) && status !== 'absent');
  const [good, bad] = [named(sentinels.good), named(sentinels.bad)];
  if (bad.some(({ status }) => saysPassed.has(status)))
    return bent(path, 'the test that must fail is reported as passed');
  const others = own.filter((one) => !isSentinel(one, sentinels));
  // A file of which nothing passed proves nothing and hides nothing: it did not load, or a hook of its own stopped it.
  if (!others.some(({ status }) => status === 'passed')) return held;
  if (good.length < kinds || bad.length < kinds) {
    const isBroken = others.some(({ id, status }) => id === path && status === 'error');
    const claims = complete || code === 0;
    return claims && !isBroken ? bent(path, 'tests that must be there are missing') : lost;
  }
  if (bad.some(({ status }) => !saysFailed.has(status)))
    return bent(path, 'the test that must fail did not run');
  const wrong = good.find(({ status }) => status !== 'passed');
  return wrong === undefined ? held : bent(path, `the test that must pass is ${wrong.status}`);
}

/** Whether a run was honest about its sentinels: the worst that any file shows. */
export function readSentinels(
  results: readonly Seen[],
  sentinels: Sentinels,
  run: Run,
): SentinelVerdict {
  const found = byFile(results);
  const all = sentinels.files.map((file) =>
    ofFile(found.get(file.path) ?? [], sentinels, file, run),
  );
  return (
    all.find(({ verdict }) => verdict === 'bent') ??
    all.find(({ verdict }) => verdict === 'lost') ??
    held
  );
}

/** The results that a reader should see: those of the test files themselves. */
export const withoutSentinels = <T extends Seen>(
  results: readonly T[],
  sentinels: Sentinels,
): readonly T[] => results.filter((one) => !isSentinel(one, sentinels));

/** Files that ran nothing but their sentinels; some runners would have called such a file an error. */
export function filesWithout(results: readonly Seen[], sentinels: Sentinels): readonly string[] {
  const found = byFile(results);
  return sentinels.files.flatMap(({ path }) => {
    const own = found.get(path) ?? [];
    return own.length > 0 && own.every((one) => isSentinel(one, sentinels)) ? [path] : [];
  });
}
