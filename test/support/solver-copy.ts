import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import { materialise } from '../../pipeline/trees/materialise.ts';
import { readDirectory } from '../../pipeline/trees/read-directory.ts';
import type { NoTree, TreeOnHand } from '../../pipeline/trees/tree-on-hand.ts';
import type { ContractReport } from '../../schemas/contract-report.ts';
import { checkConforms, readTree } from '../../stages/contract/conforms.ts';
import { manifestText } from '../../stages/contract/manifest.ts';
import { contractFor, type Files, keepFiles } from './contract-case.ts';
import { lruBase, lruContract } from './lru-fixture.ts';
import { memoryLedger } from './memory-ledger.ts';

const parse = await openParse();

/** A folder that goes with the test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'csw-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const identity = ['-c', 'user.name=solver', '-c', 'user.email=solver@invalid'];

/** Git as a solver would run it in the copy. */
export function git(folder: string, ...args: readonly string[]): string {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  return execFileSync('git', ['-C', folder, ...identity, ...args], { env, encoding: 'utf8' });
}

/** F-SH: the base laid out as a solver gets it, with a fresh repository of one commit, and the verdict on what is left there. */
export async function solverCopy(files: Files = lruBase) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, files);
  const contract = contractFor(base, { ...lruContract, interface: 'shell' });
  const entries = [...readTree(base, ledger.get).values()];
  const folder = scratch();
  await materialise(entries, ledger.get, folder);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A', '-f');
  git(folder, 'commit', '-q', '-m', 'base');
  const judge = (
    found: TreeOnHand | NoTree,
  ): Pick<ContractReport, 'conforms' | 'reasons'> & { exists: boolean } => {
    if ('problems' in found)
      return { exists: false, conforms: false, reasons: [...found.problems] };
    const candidate = ledger.put(manifestText(found.entries));
    const read = (name: string) => found.read(name) ?? ledger.get(name);
    const report = checkConforms({ contract, base, candidate, read, parse });
    return { exists: report.conjuncts.tree, conforms: report.conforms, reasons: report.reasons };
  };
  return {
    folder,
    judge,
    verdict: async () => judge(await readDirectory(folder, { base: entries, isCandidate: true })),
  };
}
