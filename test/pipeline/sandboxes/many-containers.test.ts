import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openImageStore } from '../../../pipeline/sandboxes/docker/image-store.ts';
import { sandboxes } from '../../../pipeline/sandboxes/registry.ts';
import { sweep } from '../../../pipeline/sandboxes/sweep.ts';
import { EnvironmentSpec } from '../../../schemas/environment.ts';

const { signal } = new AbortController();
const spec = EnvironmentSpec.parse({
  environment: 1,
  language: 'javascript',
  runner: 'node-test',
  testFiles: ['test/**'],
  sourceFiles: ['src/**'],
});

describe('many containers', { tags: ['docker'] }, () => {
  test('keeps 40 boxes open at once, and one set-up that fails takes none with it', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'csw-many-'));
    const run = `many-${process.pid}`;
    const sandbox = sandboxes.docker({ run, cache, host: {} });
    try {
      const prepared = await sandbox.prepare(spec, [], signal);
      if (!prepared.ready) throw new Error(prepared.tail);
      let open = 0;
      let most = 0;
      let release = () => {};
      const all = new Promise<void>((resolve) => {
        release = resolve;
      });
      const boxes = Array.from({ length: 40 }, (_, index) =>
        sandbox.use(prepared.environment, signal, async (box) => {
          open += 1;
          most = Math.max(most, open);
          if (open === 40) release();
          await all;
          const exit = await box.exec(['echo', String(index)], { timeoutMs: 60_000 }, signal);
          open -= 1;
          return Buffer.from(exit.stdout).toString().trim();
        }),
      );
      const broken = { ...prepared.environment, handle: 'sha256:0' };
      const failing = sandbox.use(broken, signal, async () => 'never');
      await expect(failing).rejects.toMatchObject({ code: 'image-missing' });
      expect(await Promise.all(boxes)).toEqual(boxes.map((_, index) => String(index)));
      expect(most).toBe(40);
      expect(await sweep({ run })).toEqual({ containers: 0, folders: 0 });
    } finally {
      await rm(cache, { recursive: true });
    }
  });

  test('finds the base image by its newest name', async () => {
    const store = await openImageStore({});
    const [image] = await store.list('csw-base');
    expect(image?.names).toContain('csw-base:latest');
    expect(await store.find('csw-base:latest')).toBe(image?.id);
  });
});
