/** @module-tag bwrap */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { buildBench, codesOf, unittestBuild } from '../../support/contract-build.ts';
import { type Files, reportOn } from '../../support/contract-case.ts';

const slug = 'tests/test_core.py > Core > test_slug';
const files = (body: string, more: Files = {}): Files => ({
  'slug/__init__.py': '',
  'slug/core.py': `import os\ndef slugify(text):\n${body}`,
  'tests/__init__.py': '',
  'tests/test_core.py': `import unittest
from slug.core import slugify
class Core(unittest.TestCase):
    def test_slug(self):
        self.assertEqual(slugify("A b"), "a-b")
`,
  ...more,
});
const good = '    return text.lower().replace(" ", "-")\n';
const bench = await buildBench('bwrap', {});

test('a right candidate builds, its tree is the same afterwards, and its log names no place of the box', async () => {
  const built = await bench.build(files(good), unittestBuild());
  expect(built).toMatchObject({
    status: 'true',
    reasons: [],
    sandbox: 'bwrap',
    reportChannel: 'stream',
    results: [{ id: slug, status: 'passed' }],
    commands: [{ exit: 0, timedOut: false }],
  });
  expect(built.postManifest).toBe(built.preManifest);
  const log = new TextDecoder().decode(bench.ledger.get(built.logNormalisedBlob ?? ''));
  expect(log).not.toContain('/testbed');
});

test.each<[string, string, string]>([
  [
    '79: a body that ends the process with status 0',
    '    os._exit(0)\n',
    'build.report-incomplete',
  ],
  [
    '80: a body that skips its own test',
    '    import unittest\n    raise unittest.SkipTest("no")\n',
    'build.id-skipped',
  ],
  [
    '83: a body that prints the summary of the runner and ends',
    '    print("Ran 1 test in 0.001s\\n\\nOK", flush=True)\n    os._exit(0)\n',
    'build.report-incomplete',
  ],
])('case %s does not build', async (_, body, code) => {
  const built = await bench.build(files(body), unittestBuild());
  expect([built.status, built.commands[0]?.exit, codesOf(built)[0]]).toEqual(['false', 0, code]);
});

const byConfig = unittestBuild({
  commands: [
    {
      argv: ['/bin/sh', '-c', 'python3 "$1" "$2" $(cat which.txt)', 'sh', '{reporter}', '{report}'],
      timeout_s: 20,
    },
  ],
});

test.each([
  ['81: a configuration that selects another file', 'tests/test_none.py'],
  ['82: a configuration under which the runner finds nothing', 'tests/empty.py'],
])('case %s does not build, though the runner ends with 0', async (_, which) => {
  const more = {
    'tests/test_none.py':
      'import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n',
    'tests/empty.py': '',
  };
  const right = await bench.build(
    files(good, { ...more, 'which.txt': 'tests/test_core.py' }),
    byConfig,
  );
  expect(right.status).toBe('true');
  const built = await bench.build(files(good, { ...more, 'which.txt': which }), byConfig);
  expect(built.status).toBe('false');
  expect(codesOf(built)).toContain('build.id-missing');
  const step = [
    { ...more, 'which.txt': 'tests/test_core.py' },
    { ...more, 'which.txt': which },
  ] as const;
  const contract = { editable: [{ file: 'slug/core.py', whole_file: true as const }] };
  const files_ = step.map((tree) => files(good, tree));
  expect(codesOf(reportOn(files_[0] ?? {}, files_[1] ?? {}, contract))).toEqual([
    'bytes.protected',
  ]);
});

test('case 84: a body that does not end is Build false and no fault', async () => {
  const build = unittestBuild({
    commands: [{ argv: ['python3', '{reporter}', '{report}', 'tests/test_core.py'], timeout_s: 1 }],
  });
  const built = await bench.build(files('    while True: pass\n'), build);
  expect([built.status, codesOf(built)]).toEqual(['false', ['build.timeout']]);
});

test('case 85: there is no network but a loopback of its own, and nothing arrives on the host', async () => {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const body = `    import socket
    names = [line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]]
    routes = open('/proc/net/route').readlines()[1:]
    assert names in (['lo'], []) and routes == [], (names, routes)
    return socket.create_connection(('127.0.0.1', ${port}), timeout=2).recv(9).decode()
`;
  const built = await bench.build(files(body), unittestBuild());
  server.close();
  expect([built.status, codesOf(built), calls]).toEqual(['false', ['build.id-failed'], 0]);
});

const cached = `    import importlib.util, py_compile
    import slug
    place = os.path.join(os.path.dirname(slug.__file__), 'forged.pyc')
    open(place, 'wb').write(b'forged')
    return text.lower().replace(" ", "-")
`;

describe('case A10: a forged cache beside a protected module', () => {
  test('case A10: is not written where the tree is read-only', async () => {
    const built = await bench.build(files(cached), unittestBuild());
    expect([built.status, codesOf(built)]).toEqual(['false', ['build.id-failed']]);
  });

  test('case A10: makes the build void where the tree may be written', async () => {
    const built = await bench.build(files(cached), unittestBuild({ tree: 'rw' }));
    expect([built.status, codesOf(built)]).toEqual(['false', ['build.tree-changed']]);
    expect(built.postManifest).not.toBe(built.preManifest);
  });
});
