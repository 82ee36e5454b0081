import { z } from 'zod';

/** A clause and the words it rests on: `quote` stands verbatim in the document named. */
const Clause = z.strictObject({
  id: z.string().regex(/^R[1-9]\d*\.[a-z]+$/),
  text: z.string().min(1),
  quotes: z
    .array(z.strictObject({ doc: z.string(), quote: z.string().min(1), seed: z.string() }))
    .min(1),
});

/** One statement that must become true, in clauses; `interface` lists every name, literal or order that a test may pin. */
export const Requirement = z.strictObject({
  id: z.string().regex(/^R[1-9]\d*$/),
  title: z.string().min(1),
  clauses: z.array(Clause).min(1),
  seeds: z.array(z.string()).min(1),
  interface: z.array(z.string()),
});
export type Requirement = z.infer<typeof Requirement>;
