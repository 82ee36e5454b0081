/** @module-tag docker */
import { describe, expect, test } from 'vitest';
import { openImageStore } from '../../../pipeline/sandboxes/docker/image-store.ts';
import { buildBench, unittestBuild } from '../../support/contract-build.ts';
import { fPy, good, isolatedBuilds } from './isolated.ts';

const bench = buildBench('docker', {});

describe('a build in docker', () => isolatedBuilds(bench));

test('the very image that is pinned is run and named, and one that is not there is a fault', async () => {
  const image = (await (await openImageStore({})).find('csw-base:latest')) ?? '';
  const limits = { memory_mb: 512, cpus: 1, pids: 64 };
  const built = await bench.build(fPy(good), unittestBuild({ image, resources: limits }));
  expect([built.status, built.image, built.sandbox]).toEqual(['true', image, 'docker']);
  const absent = unittestBuild({ image: `sha256:${'0'.repeat(64)}` });
  await expect(bench.build(fPy(good), absent)).rejects.toMatchObject({ code: 'image-missing' });
});
