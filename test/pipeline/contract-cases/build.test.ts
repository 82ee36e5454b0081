/** @module-tag bwrap */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { buildBench, codesOf, unittestBuild } from '../../support/contract-build.ts';
import { type Files, reportOn } from '../../support/contract-case.ts';

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
const bench = buildBench('bwrap', {});

type Build = ReturnType<typeof unittestBuild>;

/** F-PY under pytest, which reads the tree's own configuration. */
const pytestBuild: Build = {
  ...unittestBuild(),
  env: { PYTHONHASHSEED: '0', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' },
  commands: [
    { argv: ['python3', '{reporter}', '{report}', '--', 'tests/test_core.py'], timeout_s: 30 },
  ],
  report: { kind: 'pytest' },
  expect: { fail_to_pass: ['tests/test_core.py::Core::test_slug'] },
};
const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
const runners: [string, Build][] = [
  ['unittest', unittestBuild()],
  ...(hasPytest ? [['pytest', pytestBuild] as [string, Build]] : []),
];

describe.each(runners)('F-PY under %s', (_, build) => {
  test('a right candidate builds', async () => {
    const built = await bench.build(files(good), build);
    expect([built.status, codesOf(built)]).toEqual(['true', []]);
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
      '    print("Ran 1 test in 0.001s\\n\\nOK", "= 1 passed in 0.01s =", flush=True)\n    os._exit(0)\n',
      'build.report-incomplete',
    ],
  ])('case %s does not build', async (__, body, code) => {
    const built = await bench.build(files(body), build);
    expect([built.status, built.commands[0]?.exit, codesOf(built)]).toEqual(['false', 0, [code]]);
  });
});

/** What a candidate with another configuration gives in both predicates; its code is right. */
async function configured(build: Build, name: string, [before, after]: readonly [string, string]) {
  const trees = [before, after].map((text) => files(good, { [name]: text }));
  const [base = {}, candidate = {}] = trees;
  const contract = { editable: [{ file: 'slug/core.py', whole_file: true as const }] };
  const right = await bench.build(base, build);
  const built = await bench.build(candidate, build);
  return {
    right: right.status,
    built: [built.status, built.commands[0]?.exit, codesOf(built)],
    conforms: codesOf(reportOn(base, candidate, contract)),
  };
}

const onlyMissing = {
  right: 'true',
  built: ['false', 0, ['build.id-missing']],
  conforms: ['bytes.protected'],
};

test.skipIf(!hasPytest)(
  'case 81: a configuration that makes the runner collect and run nothing does not build, though the runner ends with 0',
  async () => {
    const step = ['[pytest]\n', '[pytest]\naddopts = --collect-only\n'] as const;
    expect(await configured(pytestBuild, 'pytest.ini', step)).toEqual(onlyMissing);
  },
);

const byConfig = unittestBuild({
  commands: [
    {
      argv: ['/bin/sh', '-c', 'python3 "$1" "$2" $(cat which.txt)', 'sh', '{reporter}', '{report}'],
      timeout_s: 20,
    },
  ],
});

test('case 81: a configuration that makes the runner look elsewhere does not build, though the runner ends with 0', async () => {
  const step = ['tests/test_core.py', 'tests/test_core.py --list'] as const;
  const listing = byConfig.commands.map((command) => ({
    ...command,
    argv: command.argv.map((word) =>
      word.replace('$(cat which.txt)', '$(sed -n "/--list/!p; /--list/s/.*//p" which.txt)'),
    ),
  }));
  expect(await configured({ ...byConfig, commands: listing }, 'which.txt', step)).toEqual(
    onlyMissing,
  );
});

test('case 82: a configuration under which the runner finds nothing does not build, though the runner ends with 0', async () => {
  const step = ['tests/test_core.py', 'tests/__init__.py'] as const;
  expect(await configured(byConfig, 'which.txt', step)).toEqual(onlyMissing);
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
  const look = `    import socket
    names = [line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]]
    routes = open('/proc/net/route').readlines()[1:]
    assert names in (['lo'], []) and routes == [], (names, routes)
`;
  const knock = `    return socket.create_connection(('127.0.0.1', ${port}), timeout=2).recv(9).decode()\n`;
  // The look alone must pass, or a knock that fails would prove nothing.
  const looked = await bench.build(files(look + good), unittestBuild());
  const built = await bench.build(files(look + knock), unittestBuild());
  server.close();
  expect(looked.status).toBe('true');
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

const queue = (body: string): Files => ({
  'package.json': '{"type":"module"}\n',
  'src/lru.ts': `export function evict(keys: readonly string[], size: number): string[] {\n${body}}\n`,
  'test/lru.test.ts': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evict } from '../src/lru.ts';
test('evicts', () => assert.deepEqual(evict(['a', 'b', 'c'], 2), ['b', 'c']));
test('keeps', () => assert.deepEqual(evict(['a'], 2), ['a']));
`,
});
const nodeBuild: Build = {
  network: 'none',
  commands: [{ argv: ['node', '{reporter}', '{report}', 'test/lru.test.ts'], timeout_s: 30 }],
  report: { kind: 'node-test' },
  expect: {
    fail_to_pass: ['test/lru.test.ts > evicts'],
    pass_to_pass: ['test/lru.test.ts > keeps'],
  },
};

describe('F-TS under node:test', () => {
  test.each<[string, string, string, string[]]>([
    ['a right body builds', '  return keys.slice(-size);\n', 'true', []],
    ['a wrong one fails by its id', '  return keys.slice(size);\n', 'false', ['build.id-failed']],
    ['one that ends the process has no ids', '  process.exit(0);\n', 'false', ['build.id-missing']],
    [
      'one that prints what a runner prints and ends has none either',
      '  console.log("ok 1 - evicts\\nok 2 - keeps\\n# pass 2");\n  process.exit(0);\n',
      'false',
      ['build.id-missing'],
    ],
  ])('%s', async (_, body, status, wanted) => {
    const built = await bench.build(queue(body), nodeBuild);
    expect([built.status, [...new Set(codesOf(built))]]).toEqual([status, wanted]);
  });
});
