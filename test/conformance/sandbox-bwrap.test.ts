import { describe, expect, test } from 'vitest';
import { sandboxes } from '../../pipeline/sandboxes/registry.ts';
import { conformsAsSandbox } from './sandbox.ts';

describe('bwrap', { tags: ['bwrap'] }, () => {
  const count = conformsAsSandbox(sandboxes.bwrap, { name: 'bwrap', isolated: true });

  test('was asked for every behaviour', () => {
    expect(count).toBe(72);
  });
});
