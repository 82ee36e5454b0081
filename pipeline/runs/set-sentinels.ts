import { randomBytes } from 'node:crypto';
import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { Ledger } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import {
  picksTests,
  sentinelNames,
  withSentinels,
} from '../../stages/test-reports/sentinel-code.ts';
import type { Sentinels } from '../../stages/test-reports/sentinels.ts';
import type { Laid } from './expected-tree.ts';

/**
 * Sentinels behind every test file that a run names, under names that nobody can know beforehand. The bytes are this run's alone:
 * they enter neither the ledger nor the run's key.
 */
export function setSentinels(
  { runner, args }: Pick<EnvironmentSpec, 'runner' | 'args'>,
  files: readonly string[],
  laid: readonly Laid[],
  ledger: Ledger,
): { readonly laid: readonly Laid[]; readonly sentinels: Sentinels } {
  const names = sentinelNames(randomBytes(32));
  const carriers: { path: string; kinds: number }[] = [];
  if (picksTests(args)) return { laid, sentinels: { ...names, files: [] } };
  const all = laid.map((entry): Laid => {
    if (entry.kind === 'link' || !files.includes(entry.path)) return entry;
    const made = withSentinels(runner, entry.path, ledger.get(entry.sha256), names);
    if (made === null) return entry;
    carriers.push({ path: entry.path, kinds: made.kinds });
    return { ...entry, sha256: sha256(made.bytes), size: made.bytes.length, bytes: made.bytes };
  });
  return { laid: all, sentinels: { ...names, files: carriers } };
}
