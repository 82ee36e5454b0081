import { z } from 'zod';
import { Price } from './price.ts';

const Name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/);

const named = (example: string) => ({
  name: Name.describe('Name that the roles below refer to.').meta({ examples: [example] }),
  family: z
    .string()
    .default('declared-unknown')
    .describe('Who made the model; a reviewer of the same family counts for less.'),
  price: Price.nullable()
    .default(null)
    .describe('US dollars per million tokens; null is unknown, which is not 0.')
    .meta({ examples: [{ input: 1.25, cached_input: 0.125, output: 10 }] }),
});

const OpenaiModel = z.strictObject({
  provider: z.literal('openai').describe('Any server that speaks the OpenAI protocol.'),
  ...named('strong'),
  model: z
    .string()
    .min(1)
    .describe('The name that the server knows.')
    .meta({ examples: ['qwen3-coder'] }),
  base_url: z
    .url()
    .default('https://api.openai.com/v1')
    .describe('Address of the server.')
    .meta({ examples: ['http://127.0.0.1:8000/v1'] }),
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .nullable()
    .default(null)
    .describe('Environment variable that holds the key; null for a server without one.')
    .meta({ examples: ['OPENAI_API_KEY'] }),
  idle_timeout_s: z
    .number()
    .positive()
    .max(290)
    .default(240)
    .describe('Longest silence of the server before a call is given up, in seconds.'),
  max_output_tokens: z.int().positive().default(16_384).describe('Longest answer, in tokens.'),
  structured: z
    .enum(['auto', 'json_schema', 'json_object', 'none'])
    .default('auto')
    .describe('How JSON is asked for; auto finds out what the server can.'),
});

const MailboxModel = z.strictObject({
  provider: z.literal('mailbox').describe('Requests become files; people or programs answer them.'),
  ...named('inbox'),
  dir: z.string().min(1).default('mailbox').describe("Folder inside the run's own folder."),
});

const RecordedModel = z.strictObject({
  provider: z.literal('recorded').describe('Answers that were recorded earlier.'),
  ...named('taped'),
  pack: z
    .string()
    .min(1)
    .describe('Folder of recordings.')
    .meta({ examples: ['seeds/token-bucket/recordings'] }),
});

/** One model under a name of the user's. Which further fields it has follows from its provider. */
export const ModelConfig = z.discriminatedUnion('provider', [
  OpenaiModel,
  MailboxModel,
  RecordedModel,
]);
export type ModelConfig = z.infer<typeof ModelConfig>;

const role = (what: string) => Name.nullable().default(null).describe(what);
const roles = (what: string) => z.array(Name).default([]).describe(what);
const flag = z.boolean().default(false);

const Roles = z.strictObject({
  drafter: role('Writes new requirements with gold and tests, in forward mode.'),
  solvers: roles('Solve every instance: the panel.'),
  prober: role('Writes private checks of single clauses.'),
  reviewer: role('Judges tests against the statement.'),
  refuter: role('Argues against what the reviewer found.'),
  advocates: roles('Argue for candidates that failed.'),
  repairer: role('Mends a test or a statement that a finding shows to be wrong.'),
  adversary: role('Tries to earn the reward without the work.'),
});

const Budget = z.strictObject({
  usd: z
    .number()
    .nonnegative()
    .nullable()
    .default(25)
    .describe('Most money to spend, in US dollars; unknown costs are guessed. null: no cap.'),
  calls: z.int().nonnegative().nullable().default(2000).describe('Most calls. null: no cap.'),
  wall_s: z
    .number()
    .positive()
    .nullable()
    .default(7200)
    .describe('Longest run, in seconds. null: no cap.'),
});

const DockerChoice = z.strictObject({
  socket: z
    .string()
    .regex(/^(unix:\/\/)?\//)
    .nullable()
    .default(null)
    .describe('Socket of a Docker-compatible daemon; null: DOCKER_HOST, or where Docker puts it.')
    .meta({ examples: ['/run/user/1000/podman/podman.sock'] }),
});

const EnvironmentChoice = z.strictObject({
  file: z
    .string()
    .nullable()
    .default(null)
    .describe('An environment.json; null takes the one of a pack, or a recipe.'),
  base: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'Container image to build on with docker; null takes the one of "pipeline image base".',
    ),
});

const Mine = z.strictObject({
  max_commits: z.int().positive().default(500).describe('How far back to look, newest first.'),
  threads: z
    .string()
    .nullable()
    .default(null)
    .describe('A threads.jsonl that belongs to the repository; null: commit messages must do.'),
  github: z
    .strictObject({
      endpoint: z
        .url()
        .nullable()
        .default(null)
        .describe('Address of the interface; null: GITHUB_API_URL, or that of github.com.'),
      since: z.iso
        .datetime({ offset: true })
        .nullable()
        .default(null)
        .describe('Only threads that changed at this time or later; null: all.'),
    })
    .prefault({})
    .describe('How github: sources are read. The token is GITHUB_TOKEN or GH_TOKEN.'),
});

const Synthesize = z.strictObject({
  batch: z.int().positive().default(10).describe('Groups of seeds to draft in one go.'),
  k: z.array(z.int().min(2).max(4)).min(1).default([2, 3]).describe('Sizes of the groups.'),
  mode: z
    .enum(['all', 'history', 'forward'])
    .default('all')
    .describe(
      'Where drafts come from: the history, the drafter and the drafts of a pack, or both.',
    ),
  level: z
    .enum(['dependent', 'joint', 'interacting'])
    .default('joint')
    .describe('Least coupling that one edge must prove.'),
  known: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'A list of what benchmarks hold, one {"repo", "commit" or "issue"} a line; null: none.',
    ),
  seed: z.int().default(1).describe('Start of every choice by chance.'),
  repeats: z.int().min(1).default(3).describe('Fresh runs of the tests before a task is admitted.'),
  mutants_per_part: z
    .int()
    .nonnegative()
    .default(10)
    .describe('Mutants of the lines each part brought.'),
  mutant_operators: z
    .enum(['core', 'all'])
    .default('all')
    .describe('How lines are weakened; core: the five that recorded answers of the packs rest on.'),
  solo_solvers: roles('Solve one requirement alone, as evidence of coupling.'),
});

const Solve = z.strictObject({
  condition: z
    .enum(['auto', 'edits', 'body'])
    .default('auto')
    .describe('What a solver may answer with; auto: body for regions, edits for whole files.'),
  replicates: z.int().min(1).default(1).describe('Rollouts of each solver on each instance.'),
});

const Review = z.strictObject({
  rounds: z.int().min(0).max(3).default(3).describe('Repairs of one task before it is put aside.'),
});

const Export = z.strictObject({
  split: Name.default('test').describe('Name of the benchmark file: data/<split>.jsonl.'),
  allow_no_licence: flag.describe('Export tasks of a source without a licence.'),
  max_suspects: z
    .int()
    .nonnegative()
    .nullable()
    .default(null)
    .describe('Most open suspicions of a task that is exported. null: any number.'),
});

/** The number of a level's name, as weaving counts them. */
export const levelNumbers = { dependent: 2, joint: 3, interacting: 4 } as const;

/** The run file, `pipeline.yaml`: every field has a default and one sentence of meaning, which `pipeline init` prints. */
export const RunConfig = z.strictObject({
  run: Name.default('main').describe('Name of the run and of its folder below out/.'),
  sandbox: z
    .enum(['auto', 'docker', 'bwrap', 'process'])
    .default('auto')
    .describe('Where code runs; process has no isolation and is for trusted code only.'),
  docker: DockerChoice.prefault({}).describe('The daemon that carries boxes in docker.'),
  concurrency: z.int().min(1).max(64).default(2).describe('Things done at the same time.'),
  models: z.array(ModelConfig).default([]).describe('The models that may be asked.'),
  roles: Roles.prefault({}).describe('Who does what, by the names above; null or [] is nobody.'),
  budget: Budget.prefault({}).describe(
    'Caps that stop a run before the call that would break them.',
  ),
  environment: EnvironmentChoice.prefault({}).describe(
    'How the code under test is installed and run.',
  ),
  mine: Mine.prefault({}).describe('From a repository to seeds.'),
  synthesize: Synthesize.prefault({}).describe('From seeds to proved tasks.'),
  solve: Solve.prefault({}).describe('From tasks to rollouts.'),
  review: Review.prefault({}).describe('From rollouts to verdicts and repairs.'),
  export: Export.prefault({}).describe('From records to a release.'),
});
export type RunConfig = z.infer<typeof RunConfig>;
