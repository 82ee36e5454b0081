import type { Runner } from '../../schemas/environment.ts';
import type { Disturbance } from '../../schemas/flake.ts';
import { randomFrom, shuffled } from '../weave/random.ts';

type Order = Disturbance['order'];

/** Runners that take their test files in the order in which they are named. */
export const keepsOrder: ReadonlySet<Runner> = new Set([
  'node-test',
  'unittest',
  'pytest',
  'mocha',
  'ava',
]);

/** Shuffling needs a seed; everything backwards is one of many orders to those who only shuffle. */
const seedOf = (order: NonNullable<Order>): number => (order === 'reverse' ? 1 : order);

/** Test files in another order; as they are for a runner that sorts them itself. */
export function rearranged(files: readonly string[], order: Order, runner: Runner): string[] {
  if (order === null || !keepsOrder.has(runner)) return [...files];
  if (order === 'reverse') return files.toReversed();
  return [...shuffled(files, randomFrom(order))];
}

/** What a runner is told so that tests come in another order; empty for one that has no such word. */
export function shuffleArguments(runner: Runner, order: Order): readonly string[] {
  if (order === null) return [];
  switch (runner) {
    case 'vitest':
      return [
        '--sequence.shuffle.files',
        '--sequence.shuffle.tests',
        `--sequence.seed=${seedOf(order)}`,
      ];
    case 'jest':
      return ['--randomize', `--seed=${seedOf(order)}`];
    case 'pytest':
      return ['-p', 'csw_order'];
    case 'go-test':
      return [`-shuffle=${seedOf(order)}`];
    default:
      return [];
  }
}
