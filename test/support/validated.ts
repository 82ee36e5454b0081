import type { Instance } from '../../schemas/instance.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import { validate } from '../../stages/validate.ts';
import { factsOf, type Woven } from './woven.ts';

const run = (woven: Woven) => validate.run(factsOf(woven), woven.context);

/** The instance of a task that validates; a refusal is an error. */
export async function instanceOf(woven: Woven): Promise<Instance> {
  const ending = await run(woven);
  if (ending.kind === 'rejected')
    throw new Error(`${ending.rejection.code}: ${ending.rejection.detail}`);
  return ending.facts.instance as Instance;
}

/** Why a task is refused, null when it is not. */
export async function refusalOf(woven: Woven): Promise<Rejection | null> {
  const ending = await run(woven);
  return ending.kind === 'rejected' ? ending.rejection : null;
}
