/** @module-tag slow */
import { expect, test } from 'vitest';
import { hostEnvironment } from '../../../pipeline/env.ts';
import { buildAndRun } from '../../support/environment-project.ts';
import { specFor } from '../../support/test-run.ts';

const host = hostEnvironment();

test('a package below the root is started in its own folder, and ids keep the way to it', async () => {
  const tree = {
    'packages/tally/data.txt': '3',
    'packages/tally/test/sum.test.js': `
      const { test } = require('node:test');
      const assert = require('node:assert');
      const { readFileSync } = require('node:fs');
      test('reads beside its package', () => assert.equal(readFileSync('data.txt', 'utf8'), '3'));`,
  };
  const spec = specFor('node-test', { workdir: 'packages/tally', testFiles: ['**/test/**'] });
  const { status, report } = await buildAndRun(tree, spec, 'process', host);
  expect(status).toBe('completed');
  expect(report.results).toMatchObject([
    {
      id: 'packages/tally/test/sum.test.js > reads beside its package',
      file: 'packages/tally/test/sum.test.js',
      status: 'passed',
    },
  ]);
});

test('so is one of Python', async () => {
  const tree = {
    'service/tally.py': 'def total():\n    return 3\n',
    'service/tests/test_total.py':
      'import unittest\nfrom tally import total\n\n\nclass T(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(), 3)\n',
  };
  const spec = specFor('unittest', {
    ...{ language: 'python', workdir: 'service', testFiles: ['**/tests/**'] },
    env: { PYTHONPATH: '{workdir}/service' },
  });
  const { status, report } = await buildAndRun(tree, spec, 'process', host);
  expect(status).toBe('completed');
  expect(report.results).toMatchObject([{ file: 'service/tests/test_total.py', status: 'passed' }]);
  expect(report.results[0]?.id).toMatch(/^service\/tests\/test_total\.py > /);
});
