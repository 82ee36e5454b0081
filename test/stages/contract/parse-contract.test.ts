import { expect, test } from 'vitest';
import { contractOf } from '../../../stages/contract/parse-contract.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const head = { contract: 1, id: 'case', base: { manifest: digest } };
const issuesOf = (parts: object) => {
  const parsed = contractOf({ ...head, ...parts });
  return parsed.ok
    ? []
    : parsed.issues.map(({ code, path, detail }) => `${code} ${path.join('.')}: ${detail}`);
};
const pinned = (more: object) => ({
  build: { network: 'none', commands: [{ argv: ['true'] }], ...more },
});
const said = (key: string, path = '../x') =>
  `contract.path ${key}: "${path}" is a path that no tree may hold`;

test('a contract that keeps to the rules is read as what it says', () => {
  const parsed = contractOf({ ...head, ...pinned({ writable: [{ path: 'out' }] }) });
  expect(parsed).toMatchObject({ ok: true, contract: { id: 'case' } });
  expect(issuesOf({ build: 'unpinned' })).toEqual([]);
});

test.each<[string, object]>([
  [
    'editable.1.file',
    {
      editable: [
        { file: 'a', whole_file: true },
        { file: '../x', whole_file: true },
      ],
    },
  ],
  ['delete.0', { delete: ['../x', 'a'] }],
  ['override.0.path', { override: [{ path: '../x', reason: 'r', approved_by: 'a' }] }],
  ['target.0.file', { target: { declarations: [{ file: '../x', kind: 'k', name: 'n' }] } }],
  ['base.0.exclude_dirs', { base: { manifest: digest, exclude_dirs: ['../x'] } }],
  ['build.0.writable', pinned({ writable: [{ path: '../x' }] })],
  ['build.0.mounts', pinned({ mounts: [{ path: '../x', manifest: digest }] })],
  ['build.0.overlay', pinned({ overlay: [{ path: '../x', sha256: digest }] })],
  ['base.discard.0', { base: { manifest: digest, discard: ['../x'] } }],
  ['create.0.glob', { create: [{ glob: '../x' }] }],
  ['visible.include.0', { visible: { include: ['../x'] } }],
  ['visible.exclude.0', { visible: { exclude: ['../x'] } }],
])('a path against the rules at %s is named with its place', (key, parts) => {
  expect(issuesOf(parts)).toEqual([said(key)]);
});

test.each(['a/*.ts', '**/*.ts', '{a,b}/*.ts', '{a,}b', 'a?/b', 'a/**', 'a{b,c}d', '*'])(
  'the glob %s is sound',
  (glob) => {
    expect(issuesOf({ create: [{ glob }] })).toEqual([]);
  },
);

test.each(['/a', 'a/', 'a//b', '{a,..}/b', '*/.git/x', 'a/{.git,b}', 'a/../*', './*'])(
  'the glob %s names what no tree may hold',
  (glob) => {
    expect(issuesOf({ create: [{ glob }] })).toEqual([said('create.0.glob', glob)]);
  },
);

test('unknown keys and other versions have codes of their own', () => {
  expect(issuesOf({ extra: 1, base: { manifest: digest, more: 1 } })).toEqual([
    'contract.unknown-key base.more: "more" is no key of a contract of version 1',
    'contract.unknown-key extra: "extra" is no key of a contract of version 1',
  ]);
  expect(issuesOf({ contract: 2 })[0]).toMatch(/^contract\.version contract: ./u);
  expect(issuesOf({ id: 1 })[0]).toMatch(/^contract\.value id: ./u);
  expect(issuesOf({ limits: { contract: 2 } })[0]).toMatch(/^contract\.unknown-key limits/u);
  expect(issuesOf({ delete: [1] })[0]).toMatch(/^contract\.value delete\.0: ./u);
});
