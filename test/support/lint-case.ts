import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { lintContract } from '../../stages/contract/lint.ts';
import { lintWarnings } from '../../stages/contract/lint-warnings.ts';
import { contractFor, type Files, keepFiles } from './contract-case.ts';
import { memoryLedger } from './memory-ledger.ts';

const parse = await openParse();
type Parts = Parameters<typeof contractFor>[1];

/** Codes that the lint gives a contract on a base; `isOther`: the contract is for another tree. */
export function lint(files: Files, parts: Parts, isOther = false): string[] {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const manifest = `sha256:${isOther ? sha256('another tree') : base}`;
  const contract = contractFor(base, { ...parts, base: { ...parts?.base, manifest } });
  return lintContract(contract, base, ledger.get, parse).map(({ code }) => code);
}

/** Codes that a contract on a base is warned of, where a right change touches these paths. */
export function warned(files: Files, parts: Parts, paths: readonly string[] | null): string[] {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const warnings = lintWarnings(contractFor(base, parts), base, ledger.get, parse, paths);
  return warnings.map(({ code }) => code);
}
