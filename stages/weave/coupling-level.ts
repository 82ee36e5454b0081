import type { Coupling, ProvedCoupling } from '../../schemas/coupling.ts';
import type { CellVerdict, MatrixRow } from '../../schemas/instance.ts';
import type { Dependence } from './dependence.ts';
import { groupName } from './groups.ts';

type SoloMerge = {
  readonly requirements: readonly string[];
  /** Edge tests that fail by assertion on the merge although each solo passes its own group. */
  readonly failing: readonly string[];
};

type Proof = {
  readonly ids: readonly string[];
  readonly matrix: readonly MatrixRow[];
  readonly dependences: readonly Dependence[];
  readonly soloMerges: readonly SoloMerge[];
};

type Level = Pick<ProvedCoupling, 'level' | 'evidence' | 'tests' | 'detail'>;

/** The strongest level that holds for each pair of requirements (weaving.md section 3); undeclared pairs only from 1 on. */
export function proveCouplings(
  declared: readonly Coupling[],
  proof: Proof,
): readonly ProvedCoupling[] {
  const { ids } = proof;
  const pairs = ids.flatMap((from, index) => ids.slice(index + 1).map((to) => ({ from, to })));
  return pairs.flatMap(({ from, to }) => {
    const level = levelOf(from, to, proof);
    const stated = declared.find((edge) => joins(edge, from, to));
    if (stated === undefined && level.level === 0) return [];
    const edge = stated ?? { from, to, kind: 'constrains' as const, text: '' };
    return [{ ...edge, ...level }];
  });
}

const joins = (edge: Coupling, from: string, to: string): boolean =>
  (edge.from === from && edge.to === to) || (edge.from === to && edge.to === from);

function levelOf(from: string, to: string, proof: Proof): Level {
  return (
    interacting(from, to, proof) ??
    joint(from, to, proof) ??
    dependent(from, to, proof) ??
    textual(from, to, proof) ?? { level: 0, evidence: ['none'], tests: [], detail: 'independent' }
  );
}

/** Level 4 rests on level 3: the merge of solo solutions fails a test that is proved to need both. */
function interacting(from: string, to: string, proof: Proof): Level | null {
  const base = joint(from, to, proof);
  if (base === null) return null;
  const merge = proof.soloMerges.find(
    ({ requirements, failing }) =>
      requirements.includes(from) &&
      requirements.includes(to) &&
      failing.some((test) => base.tests.includes(test)),
  );
  if (merge === undefined) return null;
  const tests = merge.failing.filter((test) => base.tests.includes(test));
  const detail = `solo solutions of ${from} and ${to} merge and fail ${tests.length} joint test(s)`;
  return { level: 4, evidence: [...base.evidence, 'solo-merge'], tests: [...tests], detail };
}

function joint(from: string, to: string, { dependences }: Proof): Level | null {
  const both = needingBoth(from, to, dependences);
  if (both.length === 0 || ![from, to].every((id) => hasOwn(id, dependences))) return null;
  const tests = both.map(({ test }) => test).toSorted();
  const detail = `${tests.length} test(s) need both by assertion`;
  return { level: 3, evidence: kindsOf(both), tests, detail };
}

type Dependences = readonly Dependence[];

/**
 * A test joins two parts when each is missed beside the other. That it fails on the base and passes with one of them says
 * nothing of the two together, where the other alone does not compose.
 */
const needingBoth = (from: string, to: string, dependences: Dependences): Dependences =>
  dependences.filter(({ shown }) =>
    [
      [from, to],
      [to, from],
    ].every(([one = '', other = '']) =>
      shown.some(({ requirement, beside }) => requirement === one && beside.includes(other)),
    ),
  );

/** Whether some test depends on this requirement and on nothing else. */
const hasOwn = (id: string, dependences: Dependences): boolean =>
  dependences.some(({ byAssertion, hard }) => [...byAssertion, ...hard].join() === id);

function kindsOf(dependences: Dependences): ('ablation' | 'mutation')[] {
  const kinds = dependences.flatMap(({ evidence }) => evidence.map((line) => line.split(':')[0]));
  return (['ablation', 'mutation'] as const).filter((kind) => kinds.includes(kind));
}

/**
 * Requirements that some test may yet turn out to depend on alone. Mutants only ever add to what a test depends on, so a requirement
 * that is missing here, by the lattice alone, is an end of no joint edge whatever mutants show.
 */
export const ownable = (ids: readonly string[], dependences: Dependences): readonly string[] =>
  ids.filter((id) =>
    dependences.some(({ byAssertion, hard }) =>
      [...byAssertion, ...hard].every((needed) => needed === id),
    ),
  );

/** T_j fails (soft) or cannot run (hard) on gold without i. Direction is kept in the detail. */
function dependent(from: string, to: string, proof: Proof): Level | null {
  return soft(from, to, proof) ?? hard(from, to, proof);
}

/** Joint tests where a requirement has none of its own: it fails by assertion wherever the other is missing. */
function soft(from: string, to: string, { dependences }: Proof): Level | null {
  const both = needingBoth(from, to, dependences);
  if (both.length === 0) return null;
  const needing = [to, from].filter((id) => !hasOwn(id, dependences));
  const detail =
    needing.length === 2
      ? `${from} and ${to} need each other (soft)`
      : `${needing[0]} needs ${needing[0] === to ? from : to} (soft)`;
  const tests = both.map(({ test }) => test).toSorted();
  return { level: 2, evidence: kindsOf(both), tests, detail };
}

function hard(from: string, to: string, proof: Proof): Level | null {
  for (const [needed, needing] of [
    [from, to],
    [to, from],
  ] as const) {
    const cells = rowWithout(needed, proof)?.cells;
    const verdict = cells?.find(({ group }) => group === groupName([needing]))?.verdict;
    const tests = hardOf(needed, needing, proof);
    if (verdict !== 'blocked' && tests.length === 0) continue;
    return { level: 2, evidence: ['blocked'], tests, detail: `${needing} needs ${needed} (hard)` };
  }
  return null;
}

/** Tests of one requirement that cannot run without the other. */
const hardOf = (needed: string, needing: string, { dependences }: Proof): string[] =>
  dependences
    .filter(({ byAssertion, hard }) => byAssertion.includes(needing) && hard.includes(needed))
    .map(({ test }) => test);

function textual(from: string, to: string, proof: Proof): Level | null {
  const conflicts = [from, to].filter((id) => {
    const row = rowWithout(id, proof);
    return row !== undefined && row.tree === null;
  });
  if (conflicts.length === 0) return null;
  const detail = `gold without ${conflicts.join(' or ')} does not merge`;
  return { level: 1, evidence: ['merge-conflict'], tests: [], detail };
}

const rowWithout = (id: string, { ids, matrix }: Proof): MatrixRow | undefined => {
  const rest = ids.filter((other) => other !== id).join();
  return matrix.find(({ subset }) => subset.join() === rest);
};

/** Connected by edges of level 2 or more, and at least one edge reaches the bar. */
export function isCoupled(
  ids: readonly string[],
  edges: readonly ProvedCoupling[],
  bar: number,
): boolean {
  const strong = edges.filter(({ level }) => level >= 2);
  const reached = new Set(ids.slice(0, 1));
  for (let grown = true; grown; ) {
    const next = strong.filter(({ from, to }) => reached.has(from) !== reached.has(to));
    for (const { from, to } of next) reached.add(from).add(to);
    grown = next.length > 0;
  }
  return reached.size === ids.length && edges.some(({ level }) => level >= bar);
}

/** One cell: all of a group's tests passed, some ran and failed, or none of the others could run. */
export function cellVerdict(statuses: readonly string[]): CellVerdict {
  if (statuses.every((status) => status === 'passed')) return 'pass';
  return statuses.includes('failed') ? 'fail' : 'blocked';
}
