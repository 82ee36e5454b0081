import { Environment } from '../schemas/environment.ts';
import { Instance } from '../schemas/instance.ts';
import { Task } from '../schemas/task.ts';
import type { Context } from './context.ts';
import { checkConforms } from './contract/conforms.ts';
import { lintContract } from './contract/lint.ts';
import { runControls } from './solve/controls.ts';
import { defineStage, done, reject } from './stage.ts';
import { baselineOf } from './validate/baseline.ts';
import { notCoupled } from './validate/not-coupled.ts';
import { proveInstance } from './validate/prove.ts';
import { screen } from './validate/screen.ts';
import { untraceable } from './validate/trace.ts';
import { isCoupled } from './weave/coupling-level.ts';

export const validate = defineStage({
  name: 'validate',
  needs: { task: Task, environment: Environment },
  gives: { instance: Instance },
  async run({ task, environment }, context: Context) {
    const bench = { task, environment, context };
    const hopeless = await screen(bench);
    if (hopeless !== null) return { kind: 'rejected', rejection: hopeless };
    const baseline = await baselineOf(bench);
    if ('code' in baseline) return { kind: 'rejected', rejection: baseline };

    const proved = await proveInstance(bench, baseline);
    const ids = task.requirements.map(({ id }) => id);
    const bar = context.settings.level;
    if (!isCoupled(ids, proved.couplings, bar))
      return { kind: 'rejected', rejection: notCoupled(proved, bar) };

    const loose = untraceable(task, proved.traces, proved.groups);
    if (loose !== null) return { kind: 'rejected', rejection: loose };

    const { contract } = task;
    const read = context.ledger.get;
    const [unsound] = lintContract(contract, task.base.tree, read, context.parse);
    if (unsound !== undefined)
      return reject('contract-unfit', `${unsound.code} ${unsound.path ?? ''}: ${unsound.detail}`);
    const gold = checkConforms({
      contract,
      base: task.base.tree,
      candidate: proved.goldTree,
      read,
      parse: context.parse,
    });
    if (!gold.conforms)
      return reject(
        'contract-unfit',
        `gold breaks the contract: ${gold.reasons[0]?.code ?? ''} ${gold.reasons[0]?.path ?? ''}`,
      );
    const controls = await runControls({ task, instance: proved, environment, context });
    const wrong = controls.find(({ expected, outcome }) => expected !== outcome);
    if (wrong !== undefined)
      return reject(
        'contract-unfit',
        `control ${wrong.name}: expected ${wrong.expected}, got ${wrong.outcome}`,
      );
    return done({ instance: { ...proved, controls: [...controls] } });
  },
});
