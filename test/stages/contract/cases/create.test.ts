import { expect, test } from 'vitest';
import { type Files, reportOn } from '../../../support/contract-case.ts';

const base: Files = {
  'cachelib/store.py': 'class Store: pass\n',
  'cachelib/legacy.py': 'old = 1\n',
  'cachelib/conf/a.py': '',
  'lib/impl.ts': 'export {};\n',
  'package.json': '{}\n',
};
const contract = {
  editable: [{ file: 'cachelib/store.py', whole_file: true as const }],
  create: [
    { glob: 'cachelib/*.py', max_files: 2, max_bytes: 20 },
    { glob: '*.py' },
    { glob: '{src,lib}/**/*.py' },
    { glob: 'lib/*.{js,ts}' },
    { glob: 'lib/impl/index.ts' },
  ],
  delete: ['cachelib/legacy.py'],
};
const without = (path: string) =>
  Object.fromEntries(Object.entries(base).filter(([name]) => name !== path));

test.each<[string, Files, string[]]>([
  [
    'A8: a module name of the standard library inside a package',
    { ...base, 'cachelib/json.py': 'x = 1\n' },
    [],
  ],
  [
    'A8: a top-level name of the standard library',
    { ...base, 'json.py': 'x = 1\n' },
    ['create.shadow'],
  ],
  [
    'A8: a name of the standard library in a source folder',
    { ...base, 'src/json.py': 'x = 1\n' },
    ['create.shadow'],
  ],
  [
    'A8: a package of the standard library in a source folder',
    { ...base, 'lib/json/__init__.py': 'x = 1\n' },
    ['create.shadow'],
  ],
  [
    'A8: a name of the standard library in a package of a source folder',
    { ...base, 'src/own/json.py': 'x = 1\n' },
    [],
  ],
  [
    'A8: another loadable extension beside a module',
    { ...base, 'lib/impl.js': '1;\n' },
    ['create.shadow'],
  ],
  [
    'A8: an index file beside a module',
    { ...base, 'lib/impl/index.ts': '1;\n' },
    ['create.shadow'],
  ],
  [
    'A9: a protected name under a create glob',
    { ...base, 'cachelib/conftest.py': 'x = 1\n' },
    ['create.protected'],
  ],
  [
    'a test under a create glob',
    { ...base, 'cachelib/test_store.py': 'x = 1\n' },
    ['create.protected'],
  ],
  ['a path that no glob fits', { ...base, 'docs/a.md': 'x\n' }, ['path.added', 'create.glob']],
  [
    'a new file with an x bit',
    { ...base, 'cachelib/run.py': ['exec', 'x = 1\n'] },
    ['create.kind'],
  ],
  [
    'a new file that is too large',
    { ...base, 'cachelib/a.py': `x = "${'x'.repeat(30)}"\n` },
    ['create.cap'],
  ],
  [
    'one new file too many',
    { ...base, 'cachelib/a.py': '', 'cachelib/b.py': '', 'cachelib/c.py': '' },
    ['create.cap'],
  ],
  ['a path that may be deleted is gone', without('cachelib/legacy.py'), []],
  [
    'a path that may be deleted has changed',
    { ...base, 'cachelib/legacy.py': 'old = 2\n' },
    ['bytes.protected'],
  ],
  ['an editable path is gone', without('cachelib/store.py'), ['path.removed']],
  [
    'a file became a link',
    { ...base, 'package.json': ['link', 'lib/impl.ts'] },
    ['path.kind', 'bytes.protected'],
  ],
  [
    'C7 a pytest.ini that no glob fits',
    { ...base, 'pytest.ini': '' },
    ['path.added', 'create.glob'],
  ],
  [
    'C7 a sitecustomize.py that a glob fits',
    { ...base, 'sitecustomize.py': '' },
    ['create.protected'],
  ],
])('case %s', (_, candidate, expected) => {
  expect(reportOn(base, candidate, contract).reasons.map(({ code }) => code)).toEqual(expected);
});

test('an editable entry for a protected name gives nothing away without an override', () => {
  const wide = { editable: [{ file: 'package.json', whole_file: true as const }] };
  const step = (parts: object) =>
    reportOn(base, { ...base, 'package.json': '{"a":1}\n' }, { ...wide, ...parts });
  expect(step({}).reasons[0]?.code).toBe('bytes.protected');
  const override = [{ path: 'package.json', reason: 'a new dependency', approved_by: 'a person' }];
  expect(step({ override }).conforms).toBe(true);
});
