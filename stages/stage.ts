import { z } from 'zod';
import type { Rejection } from '../schemas/rejection.ts';
import type { Context } from './context.ts';

export type Facts = Readonly<Record<string, unknown>>;

/** The three ways a stage can end. `outcome` is another word: it belongs to rollouts. */
export type Ending<Gives = Facts> =
  | { readonly kind: 'done'; readonly facts: Gives }
  | { readonly kind: 'redo'; readonly from: string; readonly facts: Gives }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export type Stage = {
  readonly name: string;
  readonly needs: readonly string[];
  readonly gives: readonly string[];
  run(facts: Facts, context: Context): Promise<Ending>;
};

type Spec<Needs extends z.ZodRawShape, Gives extends z.ZodRawShape> = {
  readonly name: string;
  readonly needs: Needs;
  readonly gives: Gives;
  run(
    facts: z.infer<z.ZodObject<Needs>>,
    context: Context,
  ): Promise<Ending<Partial<z.infer<z.ZodObject<Gives>>>>>;
};

/** Parse what a stage needs, run it, parse what it gives. */
export function defineStage<Needs extends z.ZodRawShape, Gives extends z.ZodRawShape>(
  spec: Spec<Needs, Gives>,
): Stage {
  const needs = z.object(spec.needs);
  const gives = z.strictObject(spec.gives).partial();
  return {
    name: spec.name,
    needs: Object.keys(spec.needs),
    gives: Object.keys(spec.gives),
    async run(facts, context) {
      const ending = await spec.run(needs.parse(facts), context);
      if (ending.kind === 'rejected') return ending;
      return { ...ending, facts: gives.parse(ending.facts) };
    },
  };
}

export const done = <Gives>(facts: Gives): Ending<Gives> => ({ kind: 'done', facts });

/** Send the record back to an earlier stage with new facts. */
export const redo = <Gives>(from: string, facts: Gives): Ending<Gives> => ({
  kind: 'redo',
  from,
  facts,
});

export const reject = (
  code: Rejection['code'],
  detail: string,
  evidence: string[] = [],
): Ending<never> => ({ kind: 'rejected', rejection: { code, detail, evidence } });
