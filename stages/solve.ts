import { z } from 'zod';
import { Environment } from '../schemas/environment.ts';
import { Instance } from '../schemas/instance.ts';
import { Rollout } from '../schemas/rollout.ts';
import { Task } from '../schemas/task.ts';
import type { Context } from './context.ts';
import { lintContract } from './contract/lint.ts';
import { runPanel } from './solve/panel.ts';
import { defineStage, done, reject } from './stage.ts';

export const solve = defineStage({
  name: 'solve',
  needs: { task: Task, environment: Environment, instance: Instance },
  gives: { rollouts: z.array(Rollout) },
  async run({ task, environment, instance }, context: Context) {
    const [unsound] = lintContract(
      task.contract,
      task.base.tree,
      context.ledger.get,
      context.parse,
    );
    if (unsound) return reject('contract-unfit', `${unsound.code}: ${unsound.detail}`);
    const rollouts = await runPanel({ task, environment, instance, context });
    return done({ rollouts });
  },
});
