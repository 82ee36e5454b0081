import type { Ran } from '../../schemas/test-run.ts';
import { languageOf } from '../draft/language.ts';
import { changedPaths, changeTree, entriesByPath, readPath, readTree } from '../trees/trees.ts';
import { type Place, placesOf, withName, withProbes } from '../weave/probes.ts';
import { type Bench, type Observation, observe } from './observe.ts';

type Span = { readonly path: string; readonly start: number; readonly end: number };

/** Which test files run a place of gold's text. `run`: the run that tells; null where nothing is known of any place. */
export type Reach = {
  readonly run: string | null;
  /** null: nothing is known of this place, so any test file may run it. */
  readonly filesAt: (span: Span) => readonly string[] | null;
};

const unknown: Reach = { run: null, filesAt: () => null };

type Numbered = Place & { readonly id: number };

/**
 * Gold once more, with a probe before every statement of the files that its parts changed. What it tells is believed only where every
 * target test passes in it; otherwise nothing is known, and mutants run whole test files on any line, as they do for languages without
 * probes.
 */
export async function reachOf(
  bench: Bench,
  gold: Observation,
  targets: readonly string[],
): Promise<Reach> {
  const { task } = bench;
  const places = probedPlaces(bench, gold.tree);
  if (places.size === 0) return unknown;
  const tree = probedTree(bench, gold.tree, places);
  const overlay = namedOverlay(bench);
  const run = await observe(bench, tree, { files: task.tests.files, overlay, probed: true });
  const isSame = targets.every((test) => run.statusOf(test) === 'passed');
  if (run.ran === null || run.ran.length === 0 || !isSame) return unknown;
  return { run: run.key, filesAt: reader(run.ran, places, task.tests.files) };
}

/** Places by path, with numbers that are unique over all of them. */
function probedPlaces(
  { task, context: { ledger, parse } }: Bench,
  gold: string,
): ReadonlyMap<string, readonly Numbered[]> {
  const paths = new Set(
    task.gold.flatMap(({ before, after }) => changedPaths(ledger, before, after)),
  );
  const found = new Map<string, readonly Numbered[]>();
  let next = 0;
  for (const path of [...paths].toSorted()) {
    const language = languageOf(path);
    const bytes = readPath(ledger, gold, path);
    const root = language === null || bytes === null ? null : parse(language, bytes);
    if (language === null || bytes === null || root === null) continue;
    const first = next;
    const places = (placesOf(root, bytes, language) ?? []).map((place, index) => ({
      ...place,
      id: first + index,
    }));
    next += places.length;
    if (places.length > 0) found.set(path, places);
  }
  return found;
}

function probedTree(
  { context: { ledger } }: Bench,
  gold: string,
  places: ReadonlyMap<string, readonly Numbered[]>,
): string {
  const entries = entriesByPath(readTree(ledger, gold));
  const changed = [...places].map(([path, own]) => {
    const entry = entries.get(path);
    if (entry === undefined) throw new Error(`${path} is not in the tree it was read from`);
    const first = own[0]?.id ?? 0;
    const bytes = withProbes(ledger.get(entry.sha256), own, languageOf(path) ?? '', first);
    return { ...entry, size: bytes.length, sha256: ledger.put(bytes) };
  });
  return changeTree(ledger, gold, changed);
}

const namedOverlay = ({ task, context: { ledger } }: Bench) =>
  task.tests.overlay.map((file) => {
    const language = languageOf(file.path);
    if (language === null || !task.tests.files.includes(file.path)) return file;
    return {
      ...file,
      sha256: ledger.put(withName(ledger.get(file.sha256), file.path, language)),
    };
  });

function reader(
  ran: Ran,
  places: ReadonlyMap<string, readonly Numbered[]>,
  all: readonly string[],
): Reach['filesAt'] {
  const filesOf = new Map<number, Set<string>>();
  for (const { tests, ids } of ran)
    for (const id of ids) {
      const files = filesOf.get(id) ?? new Set<string>();
      filesOf.set(id, files);
      for (const file of tests.length === 0 ? all : tests) files.add(file);
    }
  return ({ path, start, end }) => {
    const inner = (places.get(path) ?? [])
      .filter((place) => place.start <= start && end <= place.end)
      .toSorted((one, other) => one.end - one.start - (other.end - other.start))[0];
    if (inner === undefined) return null;
    const files = filesOf.get(inner.id) ?? new Set();
    return all.filter((file) => files.has(file));
  };
}
