import { z } from 'zod';
import { Environment } from '../schemas/environment.ts';
import { Instance } from '../schemas/instance.ts';
import { Rollout } from '../schemas/rollout.ts';
import { Task } from '../schemas/task.ts';
import type { Context } from './context.ts';
import { lintContract } from './contract/lint.ts';
import { Fault } from './fault.ts';
import { conditionFor } from './solve/request.ts';
import { runRollout } from './solve/rollout.ts';
import { defineStage, done, reject } from './stage.ts';

export const solve = defineStage({
  name: 'solve',
  needs: { task: Task, environment: Environment, instance: Instance },
  gives: { rollouts: z.array(Rollout) },
  async run({ task, environment, instance }, context: Context) {
    const { solvers, replicates, condition: wanted } = context.settings;
    const [unsound] = lintContract(task.contract, task.base.tree, context.ledger.get);
    if (unsound) return reject('contract-unfit', `${unsound.code}: ${unsound.detail}`);
    const condition = conditionFor(wanted, task);
    const bench = { task, environment, instance, context };
    const rollouts: Rollout[] = [];
    const waiting: Fault[] = [];
    for (const entrant of solvers) {
      for (let replicate = 0; replicate < replicates; replicate++) {
        context.signal.throwIfAborted();
        try {
          rollouts.push(await runRollout(bench, { entrant, condition, replicate }));
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          waiting.push(error);
        }
      }
    }
    // Raised only now, so that one call leaves every open question in the mailbox and pays for all that can be had.
    const stop = waiting.find(({ code }) => code !== 'model-waiting') ?? waiting[0];
    if (stop) throw stop;
    return done({ rollouts });
  },
});
