import { defineConfig } from 'vitest/config';

/** The kernel's own tests, as quick as they can be: they run once for each mutant that they reach. */
export default defineConfig({
  test: {
    include: [
      'test/stages/contract/**/*.test.ts',
      'test/pipeline/contract-cases/contract-file.test.ts',
    ],
    exclude: [
      'test/stages/contract/cases/numbering.test.ts',
      'test/stages/contract/scanners.property.test.ts',
      'test/stages/contract/frames/properties.test.ts',
    ],
    isolate: false,
    tags: ['bwrap', 'docker', 'kill', 'slow', 'live', 'prover'].map((name) => ({
      name,
      description: name,
    })),
  },
});
