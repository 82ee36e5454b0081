import { expect, test } from 'vitest';
import { buildBench, codesOf, unittestBuild } from '../../support/contract-build.ts';
import { fPy, good } from './isolated.ts';

const bench = buildBench('process', {});

test('a build without isolation says so, and its log names no folder of the host', async () => {
  const log = 'import os, tempfile; print(os.getcwd(), tempfile.gettempdir(), os.environ["HOME"])';
  const commands = [
    { argv: ['python3', '-c', log], timeout_s: 20 },
    { argv: ['python3', '{reporter}', '{report}', 'tests/test_core.py'], timeout_s: 20 },
  ];
  const built = await bench.build(fPy(good), unittestBuild({ commands }));
  expect(built).toMatchObject({ status: 'true', sandbox: 'process', image: null });
  expect(built.postManifest).toBe(built.preManifest);
  const text = new TextDecoder().decode(bench.ledger.get(built.logNormalisedBlob ?? ''));
  expect(text).toContain('<tree> <box>/tmp <outside>/home');
});

test('a tree that cannot be held read-only is found to be changed', async () => {
  const write = '    open("forged.pyc", "wb").write(b"x")\n';
  const built = await bench.build(fPy(write + good), unittestBuild());
  expect([built.status, codesOf(built)]).toEqual(['false', ['build.tree-changed']]);
});
