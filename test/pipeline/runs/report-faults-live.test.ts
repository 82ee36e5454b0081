/** @module-tag slow */
import { describe, expect, test } from 'vitest';
import { hasRunner, liveSpec, runProject } from '../../support/live-run.ts';

const nodeTest = (text: string) => ({
  tree: {
    'a.test.mjs': `import { test } from 'node:test';\n${text}`,
    'exit.cjs': 'process.exit(0);',
  },
  files: ['a.test.mjs'],
});
const python = (text: string) => ({
  tree: { 'tests/test_a.py': text },
  files: ['tests/test_a.py'],
});
const passedOf = ({ report }: Awaited<ReturnType<typeof runProject>>) =>
  report.results.filter(({ status }) => status === 'passed').length;

test('a runner that prints nothing and exits 0 has no report', async () => {
  const spec = liveSpec('node-test', { args: ['--require', './exit.cjs'] });
  const result = await runProject(spec, nodeTest("test('x', () => {});"));
  expect(result).toMatchObject({ status: 'no-report', exitCode: 0, reportBlob: null });
});

test('a test that ends the reporter leaves a report without an end', async () => {
  const killer = nodeTest(
    "test('before', () => {}); test('kills', () => { process.kill(process.ppid, 'SIGKILL'); while (true); });",
  );
  const result = await runProject(liveSpec('node-test'), killer);
  expect(result).toMatchObject({ status: 'crashed', signal: 'SIGKILL', exitCode: null });
  expect(result.report.complete).toBe(false);
});

test('a test process that is killed is an error of its file, and no test of it has passed', async () => {
  const killed = nodeTest(
    "test('before', () => {}); test('killed', () => { process.kill(process.pid, 'SIGKILL'); while (true); });",
  );
  const result = await runProject(liveSpec('node-test'), killed);
  expect(result.report.results).toMatchObject([{ id: 'a.test.mjs', status: 'error' }]);
});

describe.each(['unittest', 'pytest'] as const)('%s', (runner) => {
  const head = 'import os, unittest\nclass A(unittest.TestCase):\n';

  test.skipIf(hasRunner[runner] !== true)('killed in a test has crashed', async () => {
    const text = `${head}    def test_a(self): pass\n    def test_b(self): os.kill(os.getpid(), 9)\n`;
    const result = await runProject(liveSpec(runner), python(text));
    expect(result).toMatchObject({ status: 'crashed', signal: 'SIGKILL', exitCode: null });
    expect(passedOf(result)).toBe(1);
  });

  test.skipIf(hasRunner[runner] !== true)(
    'left with success in a test has not passed',
    async () => {
      const text = `${head}    def test_a(self): pass\n    def test_b(self): os._exit(0)\n`;
      const result = await runProject(liveSpec(runner), python(text));
      expect(result).toMatchObject({ status: 'unreadable', tampered: expect.any(String) });
    },
  );
});

test('200 MB of output fill neither our memory nor the report', async () => {
  const loud = nodeTest(`import { writeSync } from 'node:fs';
    test('loud', () => { const piece = Buffer.alloc(1 << 20, 'x'); for (let n = 0; n < 200; n++) process.stdout.write(piece); });
    test('quiet', () => {});`);
  const before = process.memoryUsage().rss;
  const result = await runProject(liveSpec('node-test'), loud);
  expect(result).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(passedOf(result)).toBe(2);
  expect(result.droppedBytes).toBeGreaterThan(190 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

test.skipIf(hasRunner.unittest !== true)(
  'twenty thousand tests are reported one by one',
  async () => {
    const text = `import unittest
class A(unittest.TestCase): pass
for n in range(20000): setattr(A, f'test_{n}', lambda self: None)
`;
    const result = await runProject(liveSpec('unittest', { timeoutS: 120 }), python(text));
    expect(result).toMatchObject({ status: 'completed', exitCode: 0 });
    expect(passedOf(result)).toBe(20_000);
  },
  150_000,
);
