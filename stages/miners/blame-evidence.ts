import type { Seed } from '../../schemas/seed.ts';
import type { Repo } from '../context.ts';
import type { BlameHit, BlameOf } from '../weave/seed-graph.ts';
import { readChanges } from './read-change.ts';

/**
 * Whose lines each usable seed rewrites: its removed and replaced source lines, traced at its base.
 * Files beyond `MAX_BYTES` are left out, since blame walks their whole history.
 */
export async function blameEvidence(repo: Repo, seeds: readonly Seed[]): Promise<BlameOf> {
  const usable = seeds.filter(({ rejections }) => rejections.length === 0);
  const heads = new Set(usable.map(({ change }) => change.head));
  const hits = new Map<string, readonly BlameHit[]>();
  for (const seed of usable) hits.set(seed.id, await hitsOf(repo, seed, heads));
  return (id) => hits.get(id) ?? [];
}

const MAX_BYTES = 500_000;

async function hitsOf(
  repo: Repo,
  { change }: Seed,
  heads: ReadonlySet<string>,
): Promise<readonly BlameHit[]> {
  const reads = await readChanges(repo, change.source);
  const hits = reads
    .filter(({ before, lines }) => lines.removed.length > 0 && (before?.length ?? 0) <= MAX_BYTES)
    .map(async ({ change: { path }, lines }) => {
      const owners = await repo.blame(change.base, path);
      const counts = new Map<string, number>();
      for (const line of lines.removed) {
        const owner = owners[line - 1] ?? '';
        if (heads.has(owner)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      }
      return [...counts].map(([head, count]) => ({ head, path, lines: count }));
    });
  return (await Promise.all(hits)).flat();
}
