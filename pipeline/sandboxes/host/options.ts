import { z } from 'zod';

/** What every sandbox is opened with. */
export const SandboxOptions = z.strictObject({
  /** Label of the run; names what a crash leaves behind, so that the next start can sweep it. */
  run: z.string().min(1),
  /** Absolute folder for kept dependencies; shared by runs. */
  cache: z.string().startsWith('/'),
  /** The host's environment variables, of which install steps see an allow-list and other commands nothing. */
  host: z.record(z.string(), z.string()).default({}),
  /** How long a daemon may take for one answer before it counts as hung, in milliseconds. */
  answerMs: z.int().positive().default(120_000),
});
export type SandboxOptions = z.infer<typeof SandboxOptions>;
