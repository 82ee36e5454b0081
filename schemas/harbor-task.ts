import { z } from 'zod';

const Image = z.string().regex(/@sha256:[0-9a-f]{64}$/);
const Network = z.enum(['public', 'no-network']);
const Resources = { cpus: z.number().int(), memory_mb: z.number().int(), workdir: z.string() };

/** Our `task.toml`, schema 1.4, under Harbor's own key names: stricter than Harbor, which ignores what it does not know. */
export const HarborTask = z.strictObject({
  schema_version: z.literal('1.4'),
  artifacts: z.tuple([z.literal('/logs/artifacts/model.patch')]),
  task: z.strictObject({
    name: z.string().regex(/^[a-zA-Z0-9][\w.-]*\/[a-zA-Z0-9][\w.-]*$/),
    version: z.string().min(1),
    description: z.string(),
    authors: z.array(z.strictObject({ name: z.string() })),
    keywords: z.array(z.string()),
  }),
  metadata: z.strictObject({
    category: z.literal('software-engineering'),
    codespecweave: z.strictObject({
      instance_id: z.string(),
      revision: z.number().int().nonnegative(),
      license: z.string().optional(),
      split: z.enum(['train', 'test']),
      level: z.number().int().min(0).max(4),
      image_pinned: z.boolean(),
      grader_sha256: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    }),
  }),
  agent: z.strictObject({ timeout_sec: z.number(), network_mode: Network }),
  verifier: z.strictObject({
    timeout_sec: z.number(),
    environment_mode: z.literal('separate'),
    network_mode: z.literal('no-network'),
    environment: z.strictObject({
      docker_image: Image.optional(),
      ...Resources,
      network_mode: z.literal('no-network'),
    }),
    collect: z.array(z.strictObject({ command: z.string(), timeout_sec: z.number() })).length(1),
  }),
  environment: z.strictObject({
    docker_image: Image.optional(),
    build_timeout_sec: z.number(),
    ...Resources,
    storage_mb: z.number().int(),
    network_mode: Network,
  }),
});
export type HarborTask = z.infer<typeof HarborTask>;

/** `reward.json`: one flat object of finite numbers; the named keys always stand there, groups come beside them. */
export const HarborReward = z
  .object({
    reward: z.union([z.literal(0), z.literal(1)]),
    conforms: z.union([z.literal(0), z.literal(1)]),
    graded: z.literal(1),
    p2p: z.union([z.literal(0), z.literal(1)]),
    partial: z.number().min(0).max(1),
  })
  .catchall(z.number());
export type HarborReward = z.infer<typeof HarborReward>;
