import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { TestStatus } from '../../schemas/test-report.ts';
import {
  type ReportFormatName,
  reportFormats,
} from '../../stages/test-reports/formats/registry.ts';

const root = fileURLToPath(new URL('../fixtures/reports/formats/', import.meta.url));
const Expected = z.record(
  z.string(),
  z.strictObject({
    root: z.string(),
    status: z.enum(['completed', 'crashed', 'no-report', 'unreadable']),
    problem: z.string().nullable(),
    results: z.record(z.string(), TestStatus),
  }),
);

const filesAt = (at: string) => {
  const paths = statSync(at).isDirectory() ? readdirSync(at).map((name) => join(at, name)) : [at];
  return paths.map((path) => ({ path, bytes: new Uint8Array(readFileSync(path)) }));
};

/** Reports of real runners in their own formats, and what must be read from each. */
export const formatFixtures = (Object.keys(reportFormats) as ReportFormatName[]).flatMap(
  (format) => {
    const folder = join(root, format);
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    const expected = Expected.parse(
      JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')),
    );
    return Object.entries(expected).map(([name, { root: tree, ...reading }]) => ({
      format,
      name,
      files: filesAt(join(folder, name)),
      context: { root: tree, package: null },
      reading,
    }));
  },
);
