import { expect, test } from 'vitest';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { testRunKey } from '../../../stages/test-reports/run-key.ts';
import { requestFor, specFor } from '../../support/test-run.ts';

const request = requestFor(specFor('node-test'), {
  overlay: [
    { path: 'test/b.ts', sha256: sha256('b') },
    { path: 'test/a.ts', sha256: sha256('a') },
  ],
  files: ['test/b.ts', 'test/a.ts'],
});

test('a request keeps its key wherever its environment lies', () => {
  const environment = {
    ...request.environment,
    handle: '/elsewhere',
    sandbox: 'docker' as const,
    tools: [{ name: 'node', version: '1' }],
  };
  expect(testRunKey({ ...request, environment })).toBe(testRunKey(request));
});

test('the order of files does not matter', () => {
  const { overlay, files } = request;
  const turned = { ...request, overlay: overlay.toReversed(), files: files.toReversed() };
  expect(testRunKey(turned)).toBe(testRunKey(request));
});

test.each([
  ['tree', { tree: sha256('another tree') }],
  ['overlay', { overlay: [] }],
  ['files', { files: ['test/a.ts'] }],
  ['repeat', { repeat: 1 }],
  ['environment', { environment: { ...request.environment, digest: sha256('another') } }],
  ['spec', requestFor(specFor('node-test', { timeoutS: 5 }))],
])('another %s is another run', (_, parts) => {
  expect(testRunKey({ ...request, ...parts })).not.toBe(testRunKey(request));
});
