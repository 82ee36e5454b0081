import type { Contract } from '../../schemas/contract.ts';
import type { ContractBuild, StatementVerdict } from '../../schemas/contract-build.ts';
import type { ContractReport } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import { assuranceOf } from '../contract/assurance.ts';
import { checkConforms } from '../contract/conforms.ts';
import { byPrimary } from '../contract/reason-codes.ts';
import type { Builder } from './ports.ts';

/** The Build of a candidate that was not built. */
export const notRun: ContractBuild = {
  status: 'not-run',
  reasons: [],
  sandbox: null,
  image: null,
  tool: null,
  commands: [],
  preManifest: null,
  postManifest: null,
  results: [],
  streamBlob: null,
  logRawBlob: null,
  logNormalisedBlob: null,
  normaliser: 1,
  reportChannel: null,
  audit: null,
};

export type Judged = {
  readonly report: ContractReport;
  readonly build: ContractBuild;
  readonly statement: StatementVerdict | null;
};

/** The statement's verdict put into a report: a statement that changed is a violation, whatever the bytes say. */
export function withStatement(
  report: ContractReport,
  statement: StatementVerdict | null,
): ContractReport {
  if (statement === null || statement.same === null) return report;
  const conjuncts = { ...report.conjuncts, statement: statement.same };
  if (statement.same) return { ...report, conjuncts };
  const changed = {
    code: 'audit.statement',
    path: null,
    at: null,
    detail: 'the target states something else than in the base',
  };
  return {
    ...report,
    conjuncts,
    conforms: false,
    reasons: byPrimary([...report.reasons, changed]),
  };
}

type Step = {
  readonly contract: Contract;
  readonly base: string;
  readonly candidate: string;
};

type Ports = {
  readonly builder: Builder;
  readonly read: (sha256: string) => Uint8Array;
  readonly parse: Parse;
  readonly signal: AbortSignal;
};

/**
 * The two predicates about one candidate, each computed without the other. Under `contract-first` a violating candidate is never
 * built; under `measure` it is, so that false success can be seen. After a passed build the statement is asked for.
 */
export async function judgeStep(step: Step, ports: Ports): Promise<Judged> {
  const { contract, base, candidate } = step;
  const { builder, read, parse, signal } = ports;
  const report = checkConforms({ contract, base, candidate, read, parse });
  const isBuilt = report.conjuncts.tree && (report.conforms || contract.order === 'measure');
  if (!isBuilt) return { report, build: notRun, statement: null };
  const build = await builder.build({ contract, tree: candidate }, signal);
  const statement =
    build.status === 'true'
      ? await builder.probe({ contract, base, tree: candidate }, signal)
      : null;
  const told = withStatement(report, statement);
  const assurance = assuranceOf(contract, told.conjuncts, build);
  return { report: { ...told, assurance }, build, statement };
}
