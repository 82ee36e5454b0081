import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { lintContract } from '../../stages/contract/lint.ts';
import { lintWarnings } from '../../stages/contract/lint-warnings.ts';
import { contractFor, type Files, keepFiles } from './contract-case.ts';
import { memoryLedger } from './memory-ledger.ts';

const parse = await openParse();
type Parts = Parameters<typeof contractFor>[1];

/** What the lint finds in a contract on a base; `isOther`: the contract is for another tree. */
function found(files: Files, parts: Parts, isOther: boolean) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const manifest = `sha256:${isOther ? sha256('another tree') : base}`;
  const contract = contractFor(base, { ...parts, base: { ...parts?.base, manifest } });
  return lintContract(contract, base, ledger.get, parse);
}

/** Codes that the lint gives a contract on a base. */
export const lint = (files: Files, parts: Parts, isOther = false): string[] =>
  found(files, parts, isOther).map(({ code }) => code);

/** What the lint says, in its own words: code, path and detail of each finding. */
export const lintWords = (files: Files, parts: Parts): string[] =>
  found(files, parts, false).map(
    ({ code, path, detail }) => `${code.replace('contract.', '')} ${path ?? '-'}: ${detail}`,
  );

function warnings(files: Files, parts: Parts, paths: readonly string[] | null) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  return lintWarnings(contractFor(base, parts), base, ledger.get, parse, paths);
}

/** Codes that a contract on a base is warned of, where a right change touches these paths. */
export const warned = (...given: Parameters<typeof warnings>): string[] =>
  warnings(...given).map(({ code }) => code);

/** The warnings in words. */
export const warnedWords = (...given: Parameters<typeof warnings>): string[] =>
  warnings(...given).map(({ path, detail }) => `${path ?? '-'}: ${detail}`);
