import type { Coupling } from '../../schemas/coupling.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Requirement } from '../../schemas/requirement.ts';

type Draft = {
  readonly requirements: readonly Requirement[];
  readonly couplings: readonly Coupling[];
  readonly parts: readonly { readonly id: string; readonly needs: readonly string[] }[];
  readonly traces: readonly { readonly test: string; readonly clauses: readonly string[] }[];
  readonly files: readonly string[];
};

/** Gate 1: everything a draft names exists, every quote is verbatim, and no requirement waits for itself. */
export function checkDraft(draft: Draft, docOf: (doc: string) => string | null): Rejection | null {
  const problems = [
    ...namesOf(draft),
    ...quotesOf(draft, docOf),
    ...cyclesOf(draft.couplings),
    ...(draft.files.length === 0 ? ['no test file that the runner can be given'] : []),
  ];
  if (problems.length === 0) return null;
  return { code: 'draft-invalid', detail: problems[0] ?? '', evidence: problems };
}

function namesOf({ requirements, couplings, parts, traces }: Draft): string[] {
  const ids = requirements.map(({ id }) => id);
  const known = new Set(ids);
  const clauses = new Set(
    requirements.flatMap((requirement) => requirement.clauses.map(({ id }) => id)),
  );
  const wanted = requirements.map((_, index) => `R${index + 1}`);
  const unknown = (what: string, names: readonly string[], among: Set<string>) =>
    names
      .filter((name) => !among.has(name))
      .map((name) => `${what} names ${name}, which does not exist`);
  return [
    ...(ids.join() === wanted.join()
      ? []
      : [`requirements are ${ids.join(', ')}, expected ${wanted.join(', ')}`]),
    ...couplings.flatMap(({ from, to }) => unknown(`coupling ${from}-${to}`, [from, to], known)),
    ...couplings
      .filter(({ from, to }) => from === to)
      .map(({ from }) => `${from} is coupled to itself`),
    ...parts.flatMap(({ id, needs }) => unknown(`part ${id}`, needs, known)),
    ...ids
      .filter((id) => !parts.some(({ needs }) => needs.length === 1 && needs[0] === id))
      .map((id) => `${id} has no gold part of its own`),
    ...traces.flatMap(({ test, clauses: named }) => unknown(`trace of "${test}"`, named, clauses)),
  ];
}

/** Quotes that do not stand verbatim in the document that they name. */
export function quotesOf(
  { requirements }: Pick<Draft, 'requirements'>,
  docOf: (doc: string) => string | null,
): string[] {
  const clauses = requirements.flatMap((requirement) => requirement.clauses);
  return clauses.flatMap(({ id, quotes }) =>
    quotes
      .filter(({ doc, quote }) => docOf(doc)?.includes(quote) !== true)
      .map(
        ({ doc, quote }) => `${id} quotes "${quote.slice(0, 60)}", which does not stand in ${doc}`,
      ),
  );
}

/** Requirements that can each be reached from themselves by `requires`. */
export function cyclesOf(couplings: readonly Coupling[]): string[] {
  const next = (id: string) =>
    couplings.filter(({ kind, from }) => kind === 'requires' && from === id).map(({ to }) => to);
  const reaches = (from: string, goal: string, seen: Set<string>): boolean =>
    next(from).some((id) => {
      if (id === goal) return true;
      if (seen.has(id)) return false;
      return reaches(id, goal, seen.add(id));
    });
  const starts = new Set(couplings.map(({ from }) => from));
  return [...starts]
    .filter((id) => reaches(id, id, new Set()))
    .map((id) => `"requires" leads from ${id} back to ${id}`);
}
