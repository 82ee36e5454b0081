import { z } from 'zod';
import { Environment } from '../schemas/environment.ts';
import { Instance } from '../schemas/instance.ts';
import { Kept } from '../schemas/kept.ts';
import { Task } from '../schemas/task.ts';
import { Candidate, Verdict } from '../schemas/verdict.ts';
import type { Context } from './context.ts';
import { canonicalJson } from './contract/canonical-json.ts';
import { mendTest } from './repair/mend-test.ts';
import { remember } from './repair/remember.ts';
import { defineStage, done, redo, reject } from './stage.ts';

export const repair = defineStage({
  name: 'repair',
  needs: {
    task: Task,
    environment: Environment,
    instance: Instance,
    kept: Kept,
    verdicts: z.array(Verdict),
    candidates: z.array(Candidate),
  },
  gives: { task: Task, kept: Kept },
  async run({ task, environment, instance, kept, verdicts, candidates }, context: Context) {
    const open = verdicts.find(({ verdict }) => /^false-/.test(verdict));
    const { repairer, rounds } = context.settings;
    if (open === undefined || repairer === null || rounds === 0) return done({});
    const bench = { task, environment, context };
    const tries: Kept['repairs'] = [];
    for (let round = 1; round <= rounds; round++) {
      const last = tries.at(-1);
      const mended = await mendTest({ bench, instance, candidates, verdict: open, round, last });
      tries.push(mended.repair);
      if (mended.task === null) continue;
      const facts = remember(kept, tries, {
        task: mended.task,
        previous: task,
        verdict: open,
        candidates,
      });
      return redo('validate', { task: mended.task, kept: facts });
    }
    const refused = tries.flatMap(({ acceptance }) =>
      acceptance.filter(({ result }) => result === 'fail'),
    );
    const why = refused.map(({ rule, detail }) => `${rule}: ${detail}`).join('; ');
    return reject(
      'rounds-exhausted',
      `${open.kind} stays open after ${rounds} rounds. ${why}`,
      tries.map((tried) => context.ledger.put(new TextEncoder().encode(canonicalJson(tried)))),
    );
  },
});
