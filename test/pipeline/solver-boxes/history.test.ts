import { expect, test } from 'vitest';
import { foreignPart } from '../../../pipeline/solver-boxes/history.ts';

const facts = (change: Readonly<Record<string, string>> = {}, ...more: readonly string[]) => {
  const plain = { objects: '9', loose: '9', reachable: '9', commits: '1', parents: '0', refs: '1' };
  const lines = Object.entries({ ...plain, ...change }).map(([name, value]) => `${name} ${value}`);
  return [...lines, 'config core.bare', 'file HEAD', 'file refs/heads/main', ...more, ''].join(
    '\n',
  );
};

test('one commit, its objects and the repository’s own few files are all there may be', () => {
  expect(foreignPart(facts())).toBeNull();
});

test.each([
  [facts({ commits: '2' }), '2 commits with 0 parents under 1 refs'],
  [facts({ parents: '1' }), '1 commits with 1 parents under 1 refs'],
  [facts({ refs: '2' }), '1 commits with 0 parents under 2 refs'],
  [
    facts({ objects: '10', loose: '10' }),
    '10 objects, 10 of them loose, where the commit reaches 9',
  ],
  [facts({ loose: '0' }), '9 objects, 0 of them loose, where the commit reaches 9'],
  [facts({}, 'config remote.up.url'), 'config remote.up.url'],
  [facts({}, 'file logs/HEAD'), 'file logs/HEAD'],
  [facts({}, 'file objects/info/alternates'), 'file objects/info/alternates'],
  [facts({}, 'file a b'), 'file a b'],
])('anything else is told: %#', (said, found) => {
  expect(foreignPart(said)).toBe(found);
});

test('a look that says nothing proves nothing', () => {
  expect(foreignPart('')).not.toBeNull();
});
