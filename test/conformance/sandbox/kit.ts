import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { variable } from '../../../pipeline/env.ts';
import { type Environment, EnvironmentSpec } from '../../../schemas/environment.ts';
import type { Box, BoxFile, ExecOptions, Exit, Sandbox } from '../../../stages/context.ts';

/** Opens the sandbox under test. */
export type Open = (options: {
  run: string;
  cache: string;
  host: Readonly<Record<string, string>>;
}) => Sandbox;

/** What a sandbox claims; behaviours that it does not claim are not asked of it. */
export type Claims = { readonly name: Environment['sandbox']; readonly isolated: boolean };

const named = variable('DOCKER_HOST');

/** The daemon that the user names: any that speaks Docker's interface must pass. */
export const daemon: Readonly<Record<string, string>> =
  named === null ? {} : { DOCKER_HOST: named };

/** Stands in the host's environment while a box is open, and must be seen nowhere in it. */
export const SECRET = 'hunter2-of-the-host';

/** Generous, because a busy machine is no fault of a sandbox; the limits under test are checked on their own. */
const TIMEOUT_MS = 60_000;

export const signal = AbortSignal.timeout(3_600_000);
export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const bytes = (words: string): Uint8Array => new TextEncoder().encode(words);
export const file = (path: string, words: string, kind: BoxFile['kind'] = 'file'): BoxFile => ({
  path,
  kind,
  bytes: bytes(words),
});

export const spec = (fields: object = {}): EnvironmentSpec =>
  EnvironmentSpec.parse({
    environment: 1,
    language: 'javascript',
    runner: 'node-test',
    testFiles: ['test/**'],
    sourceFiles: ['src/**'],
    ...fields,
  });

export const run = (box: Box, argv: string[], options: Partial<ExecOptions> = {}): Promise<Exit> =>
  box.exec(argv, { timeoutMs: 30_000, ...options }, signal);

export const sh = (box: Box, script: string, options: Partial<ExecOptions> = {}): Promise<Exit> =>
  run(box, ['sh', '-c', script], options);

/** What a script prints, without its last newline. */
export const told = async (box: Box, script: string): Promise<string> =>
  text((await sh(box, script)).stdout).trimEnd();

/** Registers behaviours and counts them, so that a run without any cannot pass for a green one. */
export type Kit = Claims & {
  behaviour(title: string, check: () => Promise<void>): void;
  open(run?: string): Sandbox;
  prepared(sandbox: Sandbox, fields?: object, tree?: readonly BoxFile[]): Promise<Environment>;
  inBox<T>(work: (box: Box) => Promise<T>, fields?: object): Promise<T>;
  count(): number;
};

export function openKit(open: Open, claims: Claims): Kit {
  let cache = '';
  let count = 0;
  let shared: Sandbox | undefined;
  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'csw-conformance-'));
  });
  afterAll(() => rm(cache, { recursive: true, force: true }));
  const host = { ...daemon, SECRET_TOKEN: SECRET, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const kit: Kit = {
    ...claims,
    count: () => count,
    behaviour(title, check) {
      count += 1;
      test(title, check, TIMEOUT_MS);
    },
    open: (label = 'conformance') => open({ run: label, cache, host }),
    async prepared(sandbox, fields, tree = []) {
      const answer = await sandbox.prepare(spec(fields), tree, signal);
      if (!answer.ready) throw new Error(`${answer.step}: ${answer.tail}`);
      return answer.environment;
    },
    async inBox(work, fields) {
      shared ??= kit.open();
      return await shared.use(await kit.prepared(shared, fields), signal, work);
    },
  };
  return kit;
}
