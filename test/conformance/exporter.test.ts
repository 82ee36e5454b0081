import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import { exporters } from '../../stages/exporters/registry.ts';
import { buildStory } from '../support/story.ts';
import { describeExporter } from './exporter.ts';

const scratch = mkdtempSync(join(tmpdir(), 'exporter-'));
let input: ReleaseInput | undefined;
beforeAll(async () => {
  ({ input } = await buildStory(scratch));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.each(Object.entries(exporters))('exporter %s', (_, exporter) => {
  describeExporter(exporter, () => {
    if (input === undefined) throw new Error('the story was not built');
    return input;
  });
});
