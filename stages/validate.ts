import { Environment } from '../schemas/environment.ts';
import { Instance } from '../schemas/instance.ts';
import { Task } from '../schemas/task.ts';
import type { Context } from './context.ts';
import { defineStage, done } from './stage.ts';
import { throughGates } from './validate/gates.ts';

export const validate = defineStage({
  name: 'validate',
  needs: { task: Task, environment: Environment },
  gives: { instance: Instance },
  async run({ task, environment }, context: Context) {
    const proved = await throughGates(task, environment, context);
    if ('code' in proved) return { kind: 'rejected', rejection: proved };
    return done({ instance: proved });
  },
});
