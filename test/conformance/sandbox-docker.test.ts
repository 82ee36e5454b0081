import { describe, expect, test } from 'vitest';
import { sandboxes } from '../../pipeline/sandboxes/registry.ts';
import { conformsAsSandbox } from './sandbox.ts';

describe('docker', { tags: ['docker'] }, () => {
  const count = conformsAsSandbox(sandboxes.docker, { name: 'docker', isolated: true });

  test('was asked for every behaviour', () => {
    expect(count).toBe(72);
  });
});
