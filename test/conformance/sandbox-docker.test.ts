import { describe } from 'vitest';
import { sandboxes } from '../../pipeline/sandboxes/registry.ts';
import { conformsAsSandbox } from './sandbox.ts';

describe('docker', { tags: ['docker'] }, () => {
  conformsAsSandbox(sandboxes.docker);
});
