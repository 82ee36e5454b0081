import { z } from 'zod';

const Region = z.union([
  z.strictObject({ start: z.string(), end: z.string() }),
  z.strictObject({
    bytes: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
    prefix: z.string(),
    suffix: z.string(),
  }),
]);

const Editable = z
  .strictObject({
    id: z.string().optional(),
    file: z.string(),
    profile: z.string().optional(),
    region: Region.optional(),
    whole_file: z.literal(true).optional(),
    max_bytes: z.number().int().positive().default(65536),
  })
  .refine((entry) => (entry.region === undefined) !== (entry.whole_file === undefined), {
    message: 'expected either region or whole_file: true',
  });

/** The edit authority, version 1: what may change; everything else is protected. Field names as in the contract files. */
export const Contract = z.strictObject({
  contract: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  base: z.strictObject({ manifest: z.string().regex(/^sha256:[0-9a-f]{64}$/) }),
  editable: z.array(Editable).default([]),
  create: z
    .array(
      z.strictObject({
        glob: z.string(),
        max_files: z.number().int().positive().default(2),
        max_bytes: z.number().int().positive().default(32768),
      }),
    )
    .default([]),
  delete: z.array(z.string()).default([]),
  override: z
    .array(z.strictObject({ path: z.string(), reason: z.string().min(1), approved_by: z.string() }))
    .default([]),
  forbidden: z
    .strictObject({
      packs: z.array(z.string()).default([]),
      baseline: z.enum(['tolerate', 'reject']).default('tolerate'),
      scope: z.enum(['region', 'file']).default('file'),
    })
    .default({ packs: [], baseline: 'tolerate', scope: 'file' }),
  interface: z.enum(['body', 'edits']).default('edits'),
  order: z.enum(['contract-first', 'measure']).default('contract-first'),
  limits: z
    .strictObject({
      attempts: z.number().int().min(1).max(16).default(1),
      candidate_bytes: z.number().int().positive().default(33554432),
    })
    .default({ attempts: 1, candidate_bytes: 33554432 }),
  visible: z
    .strictObject({
      include: z.array(z.string()).default(['**']),
      exclude: z.array(z.string()).default([]),
    })
    .default({ include: ['**'], exclude: [] }),
});
export type Contract = z.infer<typeof Contract>;
