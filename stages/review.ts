import { z } from 'zod';
import { Environment } from '../schemas/environment.ts';
import { Instance } from '../schemas/instance.ts';
import { Kept } from '../schemas/kept.ts';
import { Rollout } from '../schemas/rollout.ts';
import { Task } from '../schemas/task.ts';
import { Candidate, Verdict } from '../schemas/verdict.ts';
import type { Context } from './context.ts';
import { gatherCandidates } from './population/gather.ts';
import { runCandidates, soundProbes } from './population/run.ts';
import { judge } from './review/judge.ts';
import { askReviewer } from './reviewer/ask-reviewer.ts';
import { defineStage, done } from './stage.ts';

export const review = defineStage({
  name: 'review',
  needs: {
    task: Task,
    environment: Environment,
    instance: Instance,
    rollouts: z.array(Rollout),
    kept: Kept,
  },
  gives: { verdicts: z.array(Verdict), candidates: z.array(Candidate) },
  async run({ task, environment, instance, rollouts, kept }, context: Context) {
    const bench = { task, environment, context };
    const probes = await soundProbes(bench, instance.goldTree);
    const gathered = gatherCandidates({ task, instance, rollouts, kept });
    const candidates = await runCandidates(bench, instance, gathered, probes);
    const run = context.settings.run;
    const verdicts = judge({ task, instance, candidates, probes, run });
    const opinions = await askReviewer({ task, instance, candidates }, context);
    return done({ verdicts: [...verdicts, ...opinions], candidates: [...candidates] });
  },
});
