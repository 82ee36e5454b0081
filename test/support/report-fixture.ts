import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Runner } from '../../schemas/environment.ts';
import { TestReport } from '../../schemas/test-report.ts';
import { RunStatus } from '../../schemas/test-run.ts';
import { filesBelow } from './test-run.ts';

const root = fileURLToPath(new URL('../fixtures/reports/', import.meta.url));
const Expected = z.strictObject({ status: RunStatus, exitCode: z.number(), report: TestReport });

/** Whether a real run of this runner is kept. */
export const hasReportFixture = (runner: Runner): boolean => existsSync(join(root, runner));

/** A project with every way a test can end, the evidence of a real run of it, and what must be read from that. */
export function reportFixture(runner: Runner) {
  const tree = filesBelow(join(root, runner, 'tree'));
  const files = Object.keys(tree).filter((path) => /(\.(test|spec)\.|test_[^/]*\.py$)/.test(path));
  return {
    tree,
    files: files.toSorted(),
    evidence: readFileSync(join(root, runner, 'report.evidence')),
    expected: Expected.parse(JSON.parse(readFileSync(join(root, runner, 'expected.json'), 'utf8'))),
  };
}
