import type { Instance } from '../../schemas/instance.ts';
import type { Probe, Task } from '../../schemas/task.ts';
import type { Candidate, Verdict, Witness } from '../../schemas/verdict.ts';
import { digestOf } from '../contract/canonical-json.ts';

export type Evidence = {
  readonly task: Task;
  readonly instance: Instance;
  readonly candidates: readonly Candidate[];
  readonly probes: readonly Probe[];
  readonly run: string;
};

type Finding = {
  readonly side: 'FP' | 'FN' | 'SPEC';
  readonly kind: string;
  readonly reasonCode: string;
  readonly detail: string;
  readonly test?: string | null;
  readonly clause?: string | null;
  /** What tells this finding from others of its kind; its clause or test by default. */
  readonly mark?: string;
};

/** Verdicts that execution alone carries: no witness, at worst suspect. At most one a clause or test and side. */
export function judge(evidence: Evidence): readonly Verdict[] {
  const proved = [...wrongThatPass(evidence), ...rightThatFail(evidence)];
  const open = proved.map(({ target }) => target.clause);
  return [
    ...proved,
    ...survivors(evidence),
    ...neverAsserted(evidence),
    ...undecided(evidence),
    ...alignedClauses(evidence, open),
  ];
}

/** FP1: a candidate passes every test and fails a probe of a clause that gold passes. */
function wrongThatPass(evidence: Evidence): Verdict[] {
  const { candidates, probes } = evidence;
  const clauses = [...new Set(probes.map(({ clause }) => clause))];
  return clauses.flatMap((clause) => {
    const own = probes.filter((probe) => probe.clause === clause);
    const caught = (candidate: Candidate) =>
      own.find(({ id }) => candidate.failingProbes.includes(id));
    const wrong = candidates.find((candidate) => candidate.passesTests && caught(candidate));
    const probe = wrong === undefined ? undefined : caught(wrong);
    if (wrong === undefined || probe === undefined) return [];
    const detail = `${wrong.id} passes every test and fails probe ${probe.id} of ${clause}`;
    const finding = {
      side: 'FP' as const,
      kind: 'FP1',
      reasonCode: 'fp-wrong-variant-survives',
      detail,
      clause,
      test: testOf(evidence, clause),
    };
    return [withWitness(evidence, finding, 'probe', wrong, probe.id)];
  });
}

/** FN4: a candidate that is right by every probe of every clause fails a test. */
function rightThatFail(evidence: Evidence): Verdict[] {
  const { candidates } = evidence;
  if (!everyClauseProbed(evidence)) return [];
  const right = candidates.filter(
    ({ set, claim, failing, failingProbes }) =>
      set === 'A' && claim === 'valid' && failingProbes.length === 0 && failing.length > 0,
  );
  const tests = [...new Set(right.flatMap(({ failing }) => failing))].toSorted();
  return tests.flatMap((test) => {
    const candidate = right.find(({ failing }) => failing.includes(test));
    if (candidate === undefined) return [];
    const detail = `${candidate.id} passes every probe of every clause and fails "${test}"`;
    const finding = {
      side: 'FN' as const,
      kind: 'FN4',
      reasonCode: 'fn-one-reading-of-several',
      detail,
      test,
      clause: clauseOf(evidence, test),
      mark: `${clauseOf(evidence, test) ?? 'test'}-${digestOf(test).slice(0, 8)}`,
    };
    return [withWitness(evidence, finding, 'candidate', candidate, test)];
  });
}

/** A mutant that nothing notices may be the same program: suspect, one line a part. */
function survivors(evidence: Evidence): Verdict[] {
  const { instance, candidates } = evidence;
  const parts = [...new Set(instance.mutants.map(({ part }) => part))];
  return parts.flatMap((part) => {
    const alive = instance.mutants.filter(
      (mutant) =>
        mutant.part === part &&
        candidates.some(
          ({ id, passesTests, failingProbes }) =>
            id === mutant.id && passesTests && failingProbes.length === 0,
        ),
    );
    if (alive.length === 0) return [];
    const places = alive
      .map(({ path, line, operator }) => `${path}:${line} ${operator}`)
      .join(', ');
    const detail = `${alive.length} mutant(s) of ${part} pass every test: ${places}`;
    return [
      suspect(
        evidence,
        { side: 'FP', kind: 'FP1', reasonCode: 'fp-wrong-variant-survives', detail, mark: part },
        'no-witness',
      ),
    ];
  });
}

/** A target test that no ablation and no mutant fails by assertion measures only that something can be loaded. */
function neverAsserted(evidence: Evidence): Verdict[] {
  return evidence.instance.traces
    .filter((trace) => trace.evidence.length === 0)
    .map(({ test }) => {
      const detail = `no ablation and no mutant fails "${test}" by assertion`;
      return suspect(
        evidence,
        { side: 'FP', kind: 'FP3', reasonCode: 'fp-vacuous-test', detail, test },
        'no-witness',
      );
    });
}

/** A solver that every probe calls right and a test calls wrong: nobody here may decide that alone. */
function undecided(evidence: Evidence): Verdict[] {
  if (!everyClauseProbed(evidence)) return [];
  return evidence.candidates
    .filter(
      ({ set, passesTests, failingProbes }) =>
        set === 'P' && !passesTests && failingProbes.length === 0,
    )
    .map(({ id, failing }) => {
      const detail = `${id} passes every probe and fails ${failing.length} test(s)`;
      return suspect(
        evidence,
        {
          side: 'FN',
          kind: 'FN4',
          reasonCode: 'fn-one-reading-of-several',
          detail,
          test: failing[0] ?? null,
          mark: id,
        },
        'families-missing',
      );
    });
}

function alignedClauses(evidence: Evidence, open: readonly (string | null)[]): Verdict[] {
  const clauses = evidence.task.requirements.flatMap((requirement) => requirement.clauses);
  return clauses
    .filter(({ id }) => !open.includes(id))
    .map(({ id }) => {
      const tests = evidence.instance.traces.filter((trace) => trace.clauses.includes(id)).length;
      const detail = `no counter-witness among ${evidence.candidates.length} candidates; ${tests} test(s) check it`;
      const finding = {
        side: 'SPEC' as const,
        kind: 'aligned',
        reasonCode: 'aligned',
        detail,
        clause: id,
      };
      return { ...shared(evidence, finding), verdict: 'aligned' as const };
    });
}

const everyClauseProbed = ({ task, probes }: Evidence): boolean =>
  task.requirements.every(({ clauses }) =>
    clauses.every(({ id }) => probes.some(({ clause }) => clause === id)),
  );

/** Of the tests that check a clause, the one that checks the least beside it. */
const testOf = ({ instance }: Evidence, clause: string): string | null =>
  instance.traces
    .filter(({ clauses }) => clauses.includes(clause))
    .toSorted((left, right) => left.clauses.length - right.clauses.length)[0]?.test ?? null;
const clauseOf = ({ instance }: Evidence, test: string): string | null =>
  instance.traces.find((trace) => trace.test === test)?.clauses[0] ?? null;

function shared({ task }: Evidence, finding: Finding) {
  const { side, kind, reasonCode, detail, test = null, clause = null } = finding;
  const mark = finding.mark ?? clause ?? test ?? 'task';
  return {
    id: `v-${task.id}-${task.revision}-${kind}-${mark}`,
    task: task.id,
    revision: task.revision,
    mode: 'keyless' as const,
    target: { test, clause, coupling: null },
    side,
    kind,
    reasonCode,
    detail,
    citations: [],
  };
}

const suspect = (evidence: Evidence, finding: Finding, suspectReason: string): Verdict => ({
  ...shared(evidence, finding),
  verdict: 'suspect',
  suspectReason,
});

function withWitness(
  evidence: Evidence,
  finding: Finding,
  type: Witness['type'],
  candidate: Candidate,
  check: string,
): Verdict {
  const verdict = shared(evidence, finding);
  const { goldTree } = evidence.instance;
  const expect = (tree: string, result: 'passed' | 'not-passed') => ({
    test: check,
    tree,
    run: candidate.run,
    result,
  });
  const witness: Witness = {
    id: `w-${verdict.id.slice(2)}`,
    type,
    candidate: candidate.id,
    tree: candidate.tree,
    expected: [expect(goldTree, 'passed'), expect(candidate.tree, 'not-passed')],
    replayCommand: `pipeline review --run ${evidence.run} --witness w-${verdict.id.slice(2)}`,
  };
  return {
    ...verdict,
    verdict: finding.side === 'FP' ? 'false-positive' : 'false-negative',
    witness,
  };
}
