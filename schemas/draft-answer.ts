import { z } from 'zod';
import { CouplingKind } from './coupling.ts';
import { EditsProposal } from './proposal.ts';

/**
 * First answer of a drafter: what is asked for. Requirements are R1 to Rk in their order, clauses R1.a, R1.b and so on;
 * `from` and `to` of a coupling name requirements.
 */
export const DraftPlan = z
  .strictObject({
    requirements: z.array(
      z.strictObject({
        title: z.string().min(1),
        /** Every public name, message, default and order that a test may pin. */
        interface: z.array(z.string()),
        clauses: z.array(
          z.strictObject({
            text: z.string().min(1),
            quotes: z.array(z.strictObject({ doc: z.string(), quote: z.string().min(1) })),
          }),
        ),
      }),
    ),
    couplings: z.array(
      z.strictObject({ from: z.string(), to: z.string(), kind: CouplingKind, text: z.string() }),
    ),
  })
  .meta({ title: 'draft_plan' });
export type DraftPlan = z.infer<typeof DraftPlan>;

/** Second answer: the gold change in ordered parts, each made on what the parts before it left, and the hidden tests. */
export const DraftWork = z
  .strictObject({
    parts: z.array(EditsProposal.extend({ needs: z.array(z.string()) })),
    tests: z.array(z.strictObject({ file: z.string(), text: z.string() })),
    traces: z.array(z.strictObject({ test: z.string(), clauses: z.array(z.string()) })),
  })
  .meta({ title: 'draft_work' });
export type DraftWork = z.infer<typeof DraftWork>;

/** Answer to a refusal: what is to stand instead; null keeps what stands. */
export const DraftRevision = z
  .strictObject({ plan: DraftPlan.nullable(), work: DraftWork.nullable() })
  .meta({ title: 'draft_revision' });
export type DraftRevision = z.infer<typeof DraftRevision>;

/** How a drafter arrived at its task: each request with what the gates said to its answer, null where they let it pass. */
export const Drafting = z.strictObject({
  turns: z.array(
    z.strictObject({
      step: z.string(),
      attempt: z.number().int().positive(),
      request: z.string(),
      refused: z.strictObject({ code: z.string(), detail: z.string() }).nullable(),
    }),
  ),
  /** Names and texts that tests pin and gold uses, with the place where the base binds them already. */
  precedents: z.array(
    z.strictObject({ text: z.string(), path: z.string(), line: z.number().int().positive() }),
  ),
});
export type Drafting = z.infer<typeof Drafting>;
