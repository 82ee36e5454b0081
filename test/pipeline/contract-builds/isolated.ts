import { expect, test } from 'vitest';
import { type BuildBench, codesOf, unittestBuild } from '../../support/contract-build.ts';
import type { Files } from '../../support/contract-case.ts';

const slug = 'tests/test_core.py > Core > test_slug';
export const good = '    return text.lower().replace(" ", "-")\n';

/** F-PY with a body of its one function. */
export const fPy = (body: string, more: Files = {}): Files => ({
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

const sh = (script: string, timeout_s = 20) => ({ argv: ['/bin/sh', '-c', script], timeout_s });
const run = { argv: ['python3', '{reporter}', '{report}', 'tests/test_core.py'], timeout_s: 20 };
const plain = (...commands: ReturnType<typeof sh>[]) => ({ network: 'none' as const, commands });
const bytes = (text: string) => new TextEncoder().encode(text);

function trees(bench: BuildBench): void {
  test('a right candidate builds, and its tree has the same name afterwards', async () => {
    const built = await bench.build(fPy(good), unittestBuild());
    expect([built.status, built.reasons]).toEqual(['true', []]);
    expect(built.results).toEqual([{ id: slug, status: 'passed' }]);
    expect(built.postManifest).toBe(built.preManifest);
    const log = new TextDecoder().decode(bench.ledger.get(built.logNormalisedBlob ?? ''));
    expect(log).not.toContain('/testbed');
  });

  test('the tree is read-only while a command runs, but for its scratch folders', async () => {
    const script = 'for f in a new d/x; do echo x > $f && exit 3; done; rm -f a; echo x > out/y';
    const build = { ...plain(sh(`${script}; test -f a`)), writable: [{ path: 'out' }] };
    const built = await bench.build({ a: '', 'd/b': '' }, build);
    expect([built.status, codesOf(built)]).toEqual(['true', []]);
    expect(built.postManifest).toBe(built.preManifest);
  });

  test('empty folders and submodules lie as the tree names them, and are part of its name', async () => {
    const more: Files = { empty: ['dir', ''], sub: ['gitlink', 'a'.repeat(40)], a: 'x' };
    const kept = await bench.build(more, plain(sh('test -d empty && test -d sub')));
    expect([kept.status, kept.postManifest]).toEqual(['true', kept.preManifest]);
    const gone = await bench.build(more, { ...plain(sh('rmdir empty')), tree: 'rw' });
    expect(codesOf(gone)).toEqual(['build.tree-changed']);
    const left = await bench.build(more, { ...plain(sh('mkdir new')), tree: 'rw' });
    expect(codesOf(left)).toEqual(['build.tree-changed']);
    expect(left.postManifest).toBe(bench.keep({ ...more, new: ['dir', ''] }));
  });

  test('a mounted tree lies below its path, read-only, over whatever a candidate has there', async () => {
    const given = bench.keep({ 'pkg/index.js': 'given', '.bin/tool': ['exec', '#!/bin/sh\n'] });
    const mounts = [{ path: 'node_modules', manifest: `sha256:${given}` }];
    const script = 'test "$(cat node_modules/pkg/index.js)" = given && node_modules/.bin/tool';
    const build = { ...plain(sh(`${script} && ! echo x > node_modules/pkg/index.js`)), mounts };
    const built = await bench.build({ a: '', 'node_modules/pkg/index.js': 'own' }, build);
    expect([built.status, codesOf(built)]).toEqual(['true', []]);
    expect(built.postManifest).toBe(built.preManifest);
  });

  test('hidden tests lie over the candidate, also where a link or file stands in their way', async () => {
    const hidden = `sha256:${bench.ledger.put(bytes('hidden'))}`;
    const build = {
      ...plain(sh('test ! -L t && test "$(cat t/x)" = hidden')),
      overlay: [{ path: 't/x', sha256: hidden }],
    };
    for (const t of [['link', 'other'] as const, ['file', 'x'] as const]) {
      const built = await bench.build({ a: '', 'other/x': 'own', t }, build);
      expect([built.status, built.postManifest]).toEqual(['true', built.preManifest]);
    }
  });
}

function commands(bench: BuildBench): void {
  test('nothing is in the environment but what is listed and what a start needs', async () => {
    const script = `env | cut -d= -f1 | grep -vxE 'OWN|PATH|HOME|TMPDIR|PWD|OLDPWD|SHLVL|_|CSW_BOX|HOSTNAME' && exit 3; test "$OWN" = yes`;
    const built = await bench.build({ a: '' }, { ...plain(sh(script)), env: { OWN: 'yes' } });
    expect([built.status, codesOf(built)]).toEqual(['true', []]);
  });

  test('a command finds nothing of an earlier one at home, in its temporary or its private folder', async () => {
    const leave = 'touch "$HOME/a" "$TMPDIR/.b" && mkdir "$HOME/../c" && chmod 0 "$HOME/../c"';
    const look = 'test -z "$(ls -A "$HOME" "$TMPDIR" | grep -v :)" && ! test -e "$HOME/../c"';
    const built = await bench.build({ a: '' }, plain(sh(leave), sh(look)));
    expect([built.status, codesOf(built)]).toEqual(['true', []]);
  });

  test('no command before the one that reports sees its nonce or its reporter', async () => {
    const spoil = sh(
      'find / -name "*.nonce" -path "*report*" 2>/dev/null | grep . && exit 3; d="$HOME/.."; for f in report_stream unittest_report; do echo "raise SystemExit(0)" > "$d/$f.py"; done',
    );
    const built = await bench.build(fPy(good), unittestBuild({ commands: [spoil, run] }));
    expect([built.status, codesOf(built)]).toEqual(['true', []]);
  });

  test('a command beside the one that reports must end well by itself', async () => {
    const before = await bench.build(fPy(good), unittestBuild({ commands: [sh('exit 2'), run] }));
    const after = await bench.build(fPy(good), unittestBuild({ commands: [run, sh('exit 2')] }));
    expect([codesOf(before), codesOf(after)]).toEqual([['build.exit'], ['build.exit']]);
    expect(before.commands).toHaveLength(1);
  });

  test('a program that is not in the sandbox is a fault, one that is not in the tree a verdict', async () => {
    const missing = plain({ argv: ['no-such-prover', 'x'], timeout_s: 5 });
    await expect(bench.build({ a: '' }, missing)).rejects.toMatchObject({
      code: 'environment-failed',
      message: expect.stringContaining('"no-such-prover"'),
    });
    const own = plain({ argv: ['./build.sh'], timeout_s: 5 });
    expect(codesOf(await bench.build({ a: '' }, own))).toEqual(['build.exit']);
  });

  test('a command that needs more memory than declared is Build false by its limit', async () => {
    const eat = { argv: ['python3', '-c', 'x = bytearray(600_000_000)'], timeout_s: 20 };
    const build = { ...plain(eat), resources: { memory_mb: 200 } };
    expect(codesOf(await bench.build({ a: '' }, build))).toEqual(['build.resource']);
    expect((await bench.build({ a: '' }, plain(eat))).status).toBe('true');
  });
}

/** What every isolated sandbox must hold a build to. */
export function isolatedBuilds(bench: BuildBench): void {
  trees(bench);
  commands(bench);
}
