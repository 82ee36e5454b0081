import { z } from 'zod';
import { TestStatus } from '../../schemas/test-report.ts';

const n = z.number().int().nonnegative();
const id = z.string().min(1);

/** One line of a reporter. `n` counts from 0 without gap; `hello` comes first, `end` last. */
export const ReportRecord = z.discriminatedUnion('type', [
  z.strictObject({ n, type: z.literal('hello'), runner: z.string(), version: z.string() }),
  z.strictObject({ n, type: z.literal('collect'), id }),
  z.strictObject({ n, type: z.literal('start'), id }),
  z.strictObject({
    n,
    type: z.literal('result'),
    id,
    file: z.string(),
    line: z.number().int().positive().nullable(),
    status: TestStatus,
    message: z.string().nullable(),
  }),
  z.strictObject({ n, type: z.literal('end'), results: z.number().int().nonnegative() }),
]);
export type ReportRecord = z.infer<typeof ReportRecord>;

/** The record of a line's JSON, or null where it is none. */
export function parseRecord(text: string): ReportRecord | null {
  try {
    return ReportRecord.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
