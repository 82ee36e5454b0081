// Candidate folder against the contract: the same checker that judged the task, on the bytes that lie here.
import { readFileSync, readlinkSync } from 'node:fs';
import { checkConforms, withoutGrammar } from './kernel/conforms.mjs';
import { manifestText } from './kernel/manifest.mjs';
import { entriesOf, sha256, TreeProblem } from './tree.mjs';

/** Whether a path is a dropping of tools: neither judged nor taken over. */
export function discardedBy(lock) {
  const patterns = lock.discard.map(({ pattern }) => new RegExp(pattern, 'u'));
  return (path) => patterns.some((pattern) => pattern.test(path) || pattern.test(`${path}/`));
}

/** A submodule is an empty folder on disk, and git keeps no empty folders: both are as in the base. */
function asInBase(entries, base) {
  const known = new Map(base.map((entry) => [entry.path, entry]));
  const read = entries.flatMap((entry) => {
    if (entry.kind !== 'dir') return [entry];
    const before = known.get(entry.path);
    return before?.kind === 'gitlink' || before?.kind === 'dir' ? [before] : [];
  });
  return read;
}

/** Bytes by SHA-256, found again where they lie. */
function reader(trees) {
  const places = new Map();
  for (const { root, entries, text } of trees) {
    places.set(sha256(text), () => text);
    for (const { kind, path, sha256: name } of entries) {
      const full = `${root}/${path}`;
      if (kind === 'link') places.set(name, () => readlinkSync(full, 'buffer'));
      else if (kind === 'file' || kind === 'exec') places.set(name, () => readFileSync(full));
    }
  }
  return (name) => {
    const read = places.get(name);
    if (!read) throw new Error(`no bytes for ${name}`);
    return read();
  };
}

function report(lock, base, entries, roots) {
  const trees = [
    { root: roots.base, entries: base, text: manifestText(base) },
    { root: roots.candidate, entries, text: manifestText(entries) },
  ];
  const [before, after] = trees.map(({ text }) => sha256(text));
  if (before !== lock.base_tar.manifest) throw new Error('the lock names another base');
  // No grammar travels with a release: tokens of protected text are held here, its constructs where the task was proved.
  const step = { contract: withoutGrammar(lock.contract), base: before, candidate: after };
  return checkConforms({ ...step, read: reader(trees), parse: () => null });
}

/** Reasons against a candidate, the primary one first; `exists` is false where there is no candidate to judge. */
export function checkCandidate(lock, roots) {
  const base = lock.base.map(([path, kind, size, name]) => ({ path, kind, size, sha256: name }));
  try {
    const entries = asInBase(entriesOf(roots.candidate, discardedBy(lock)), base);
    const { conforms, conjuncts, reasons } = report(lock, base, entries, roots);
    const known = new Set(base.map(({ path }) => path));
    const created = entries.filter(({ path }) => !known.has(path)).map(({ path }) => path);
    return { exists: conjuncts.tree, conforms, reasons, created };
  } catch (error) {
    if (!(error instanceof TreeProblem)) throw error;
    const reason = {
      code: error.code,
      path: error.path,
      at: null,
      detail: 'no tree may hold this',
    };
    return { exists: false, conforms: false, reasons: [reason], created: [] };
  }
}
