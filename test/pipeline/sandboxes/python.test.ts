import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxes } from '../../../pipeline/sandboxes/registry.ts';
import { EnvironmentSpec } from '../../../schemas/environment.ts';

let cache = '';
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'csw-python-'));
});
afterEach(() => rm(cache, { recursive: true }));

const spec = EnvironmentSpec.parse({
  environment: 1,
  language: 'python',
  runner: 'unittest',
  testFiles: ['test*.py'],
  sourceFiles: ['*.py'],
  install: [['python3', '-m', 'venv', '--without-pip', '{deps}/venv']],
  paths: ['{deps}/venv/bin'],
});
const { signal } = new AbortController();

// Needs Python, which the default suite does without.
describe('with Python', { tags: ['bwrap'] }, () => {
  test.each(['process', 'bwrap'] as const)(
    'a virtual environment made in %s works after its box is gone',
    async (name) => {
      const sandbox = sandboxes[name]({ run: 'r', cache, host: {} });
      const answer = await sandbox.prepare(spec, [], signal);
      if (!answer.ready) throw new Error(answer.tail);
      const ask = ['python3', '-c', 'import sys; print(sys.prefix)'];
      await sandbox.use(answer.environment, signal, async (box) => {
        const exit = await box.exec(ask, { timeoutMs: 20_000 }, signal);
        expect(Buffer.from(exit.stdout).toString().trim()).toBe(`${box.deps}/venv`);
      });
    },
  );
});
