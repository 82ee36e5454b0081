import type { ModelRequest } from '../../schemas/completion.ts';
import type { ModelConfig, RunConfig } from '../../schemas/run-config.ts';
import { Fault } from '../../stages/fault.ts';
import { defineCommand, type Io } from '../arguments.ts';
import { readRunConfig } from '../config.ts';
import { variable } from '../env.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkGithub } from '../github-check.ts';
import {
  type Check,
  checkDisk,
  checkGit,
  checkModel,
  checkNode,
  checkOut,
  checkSandboxes,
} from '../host-checks.ts';
import { guessUsd } from '../ledger/money.ts';
import { openModels } from '../models/open.ts';
import { openMeter } from '../models/with-budget.ts';
import { outFolder } from '../run-folder.ts';
import { sandboxHost } from '../sandbox-host.ts';
import { diagnoseSandboxes } from '../sandboxes/diagnose.ts';

/** Looks at the machine and the run file, starts nothing and spends nothing unless `--live` asks for it. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'check this machine and say what to do',
  usage: 'pipeline doctor [--config FILE] [--sandbox NAME] [--live]',
  example: 'pipeline doctor --config pipeline.yaml --live',
  options: {
    config: { kind: 'text', value: 'FILE', help: 'The run file whose models are looked at.' },
    sandbox: { kind: 'text', value: 'NAME', help: 'The sandbox that must work here.' },
    live: {
      kind: 'flag',
      help: 'Also ask each model one short question, which may cost a little, and GitHub about the token.',
    },
  },
  positionals: [],
  async run(args, io) {
    const config = readRunConfig(args.config ?? null, { sandbox: args.sandbox });
    const out = outFolder(args.out);
    const isLive = args.live === true && args['dry-run'] !== true;
    const checks = [
      checkNode(process.version),
      await checkGit(),
      checkOut(out),
      checkDisk(out),
      ...checkSandboxes(await diagnoseSandboxes(sandboxHost(config)), config.sandbox),
      ...config.models.map((model) => checkModel(model, variable)),
      await checkGithub(variable, isLive, io.signal),
      ...(isLive ? await askAll(config, out, io) : []),
    ];
    for (const line of checks.flatMap(linesOf)) io.say(line);
    const failed = checks.filter(({ state }) => state === 'fail');
    io.say(failed.length === 0 ? 'All is in order.' : `${failed.length} to mend.`);
    io.summarize({ ok: failed.length === 0, checks });
    return failed.length === 0 ? exitCodes.done : exitCodes.incomplete;
  },
});

const marks = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

function linesOf({ name, state, found, remedy }: Check): string[] {
  const line = `${marks[state]}  ${name}: ${found}`;
  return remedy === null ? [line] : [line, `      ${remedy}`];
}

const question = (entrant: string): ModelRequest => ({
  role: 'solver',
  entrant,
  subject: 'doctor',
  condition: 'doctor',
  replicate: 0,
  attempt: 1,
  reask: 0,
  messages: [{ role: 'user', content: 'Answer with the one word yes.' }],
  schema: null,
  parameters: {},
});

/** Only servers are asked: a person's mailbox is not for trying out, and recordings know no such question. */
async function askAll({ models, budget }: RunConfig, runFolder: string, io: Io): Promise<Check[]> {
  const servers = models.filter(({ provider }) => provider === 'openai');
  const { clock, say: tell } = io;
  const spent = { usd: 0, calls: 0 };
  const meter = openMeter({ caps: budget, clock, spent, guess: guessUsd });
  const patience = { tries: 1 };
  const open = openModels(servers, {
    clock,
    meter,
    env: variable,
    runFolder,
    wait: false,
    tell,
    patience,
  });
  const checks: Check[] = [];
  for (const model of servers) checks.push(await ask(model, open, io.signal));
  return checks;
}

async function ask(
  { name }: ModelConfig,
  open: ReturnType<typeof openModels>,
  signal: AbortSignal,
): Promise<Check> {
  const check = { name: `call ${name}`, remedy: null };
  try {
    const { finish, modelReturned, usage } = await open('solver', name).complete(
      question(name),
      signal,
    );
    const tokens = usage.output === null ? 'tokens unknown' : `${usage.output} tokens out`;
    return {
      ...check,
      state: 'ok',
      found: `answered as ${modelReturned ?? 'unnamed'} (${finish}, ${tokens})`,
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...check, state: 'fail', found: error.message };
  }
}
