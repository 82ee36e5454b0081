import type { Instance, TestGroup } from '../../schemas/instance.ts';
import { byText } from './text.ts';

/** The name under which keeping the contract stands among the tests. */
export const CONTRACT_TEST = 'contract > conforms';

/** A group as a release names it: `key` is its place in `reward.json`. */
export type RewardGroup = {
  readonly key: string;
  readonly kind: TestGroup['kind'];
  readonly name: string;
  readonly refs: readonly string[];
  readonly ids: readonly string[];
};

/** `r1`, `r1_r2`, `p2p`: from what the group belongs to, never from its own name, which a draft may choose. */
const keyOf = ({ kind, refs }: TestGroup) =>
  kind === 'regression' ? 'p2p' : refs.map((ref) => ref.toLowerCase()).join('_');

/** The groups of an instance by reward key; groups with one key are one group, ids sorted and unique. */
export function rewardGroups({ groups }: Instance): RewardGroup[] {
  const byKey = new Map<string, RewardGroup>();
  for (const group of groups) {
    const key = keyOf(group);
    const before = byKey.get(key);
    const ids = [...new Set([...(before?.ids ?? []), ...group.ids])].toSorted(byText);
    const { kind, name, refs } = before ?? group;
    byKey.set(key, { key, kind, name, refs, ids });
  }
  return [...byKey.values()].filter(({ ids }) => ids.length > 0);
}

/** Ids that the task must turn from failing to passing, sorted. */
export const failToPass = (instance: Instance): string[] =>
  rewardGroups(instance)
    .filter(({ kind }) => kind !== 'regression')
    .flatMap(({ ids }) => ids)
    .toSorted(byText);

/** Ids that passed before and must pass still, sorted, and last the contract. */
export const passToPass = (instance: Instance): string[] => [
  ...rewardGroups(instance)
    .filter(({ kind }) => kind === 'regression')
    .flatMap(({ ids }) => ids)
    .toSorted(byText),
  CONTRACT_TEST,
];
