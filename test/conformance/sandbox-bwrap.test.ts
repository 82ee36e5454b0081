import { describe } from 'vitest';
import { sandboxes } from '../../pipeline/sandboxes/registry.ts';
import { conformsAsSandbox } from './sandbox.ts';

describe('bwrap', { tags: ['bwrap'] }, () => {
  conformsAsSandbox(sandboxes.bwrap);
});
