import { Environment } from '../schemas/environment.ts';
import { Task } from '../schemas/task.ts';
import type { Context } from './context.ts';
import { defineStage, done, reject } from './stage.ts';

export const build = defineStage({
  name: 'build',
  needs: { task: Task },
  gives: { environment: Environment },
  async run({ task }, { runs, signal }: Context) {
    const prepared = await runs.prepare(task.environment, task.base.tree, signal);
    if (!prepared.ready)
      return reject('env-build-failed', `${prepared.step}: ${prepared.tail.slice(-400)}`);
    return done({ environment: prepared.environment });
  },
});
