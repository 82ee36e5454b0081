import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EnvironmentSpec } from '../schemas/environment.ts';
import type { Seed } from '../schemas/seed.ts';
import type { Thread } from '../schemas/thread.ts';
import { detectEnvironment } from '../stages/environments/detect.ts';
import { inImage } from '../stages/environments/in-image.ts';
import { Fault } from '../stages/fault.ts';
import { funnelOf, mineSource } from '../stages/mine.ts';
import { blameEvidence } from '../stages/miners/blame-evidence.ts';
import { type Doc, threadDocs } from '../stages/miners/docs.ts';
import { importCommit } from '../stages/trees/import-commit.ts';
import { isFile, readTree } from '../stages/trees/trees.ts';
import { seedGraph } from '../stages/weave/seed-graph.ts';
import type { Io } from './arguments.ts';
import { flagError, usageError } from './config/usage-problem.ts';
import { buildEnvironmentImage } from './images/environment-image.ts';
import { type Mined, noteMined } from './mined.ts';
import type { OpenRun } from './open-run.ts';
import { readDrafts } from './repos/drafts.ts';
import { openSource } from './repos/registry.ts';
import type { OpenedSource } from './repos/source.ts';
import { readThreads } from './repos/threads.ts';
import { sandboxHost } from './sandbox-host.ts';

/** A source that a verb has open. */
export type Opened = { readonly name: string; close(): Promise<void> };

type Wanted = { readonly spec: string; readonly repo?: string | undefined };

/** Read one source into the run's ledger; a source that was mined before is only opened. */
export async function mineInto(run: OpenRun, { spec, repo }: Wanted, io: Io): Promise<Opened> {
  const threads = run.config.mine.threads;
  const origin = { spec, threads, repo: repo ?? null };
  const opened = await open(run, origin, io);
  const { source } = opened;
  try {
    if (run.ledger.find('source-mined', source.name) === null)
      noteMined(run.ledger, { origin, ...(await mineOpened(run, opened, io)) });
  } catch (error) {
    await opened.close();
    throw error;
  }
  return { name: source.name, close: opened.close };
}

/** Open a source of an earlier command again, at the place it had then. */
export async function openAgain(run: OpenRun, { origin }: Mined, io: Io): Promise<Opened> {
  const { source, close } = await open(run, origin, io);
  return { name: source.name, close };
}

async function open(run: OpenRun, origin: Mined['origin'], io: Io): Promise<OpenedSource> {
  const opened = await openSource(origin.spec, {
    cache: run.cache,
    threads: origin.threads ?? undefined,
    repo: origin.repo ?? undefined,
    folder: run.folder,
    github: { ...run.config.mine.github, clock: io.clock },
    signal: io.signal,
    onProgress: (line) => io.progress.line(line),
  });
  run.repos.set(opened.source.name, opened.repo);
  return opened;
}

async function mineOpened(
  run: OpenRun,
  { source, repo, threads: archive, pack, problems: unsaid = [] }: OpenedSource,
  io: Io,
): Promise<Omit<Mined, 'origin'>> {
  const { parse, ledger } = run.contextFor(null);
  const head = await importCommit(repo, source.head, ledger);
  const found = pack?.environment ?? (await environmentOf(run, head, io));
  const spec = { ...found, image: found.image ?? run.config.environment.base };
  const { threads, problems } = await allThreads(archive);
  if (unsaid.length > 0) problems['parts that the host could not read'] = unsaid.length;
  const docs = new Map<string, string>();
  const onDoc = ({ doc, text }: Doc) => docs.set(doc, ledger.put(new TextEncoder().encode(text)));
  if (pack !== null) for (const doc of threads.flatMap(threadDocs)) onDoc(doc);
  const seeds: Seed[] = [];
  const max = run.config.mine.max_commits;
  for await (const seed of mineSource({
    source,
    threads,
    repo,
    parse,
    languageRules: spec,
    max,
    onDoc,
  })) {
    seeds.push(seed);
    io.progress.step(`mining ${source.name}`, seeds.length);
    io.signal.throwIfAborted();
  }
  const { commits, usable, rejected } = funnelOf(seeds);
  return {
    source,
    spec,
    seeds,
    graph: seedGraph(seeds, await blameEvidence(repo, seeds)),
    docs: [...docs].map(([doc, sha256]) => ({ doc, sha256 })),
    drafts: pack === null ? [] : await readDrafts(pack, ledger.put),
    threads: { read: threads.length, problems },
    funnel: { commits, usable, ...rejected },
  };
}

async function allThreads(
  archive: string | null,
): Promise<{ threads: Thread[]; problems: Record<string, number> }> {
  const threads: Thread[] = [];
  const problems: Record<string, number> = {};
  if (archive !== null)
    for await (const thread of readThreads(archive, ({ kind, line }) => {
      problems[`${kind} (line ${line})`] = 1;
    }))
      threads.push(thread);
  return { threads, problems };
}

const DOCKERFILE = /(^|\/)Dockerfile(\.[^/]*)?$|\.dockerfile$/i;

/** The user's environment file, else what a recipe finds in the newest tree, in the image of the user's Dockerfile if there is one. */
async function environmentOf(run: OpenRun, head: string, io: Io): Promise<EnvironmentSpec> {
  const { file } = run.config.environment;
  if (file === null) return detectedIn(run, head);
  if (!DOCKERFILE.test(file)) return readEnvironment(file);
  const { sandbox } = run.config;
  if (sandbox !== 'docker' && sandbox !== 'auto')
    throw flagError('--env', `an environment.json with --sandbox ${sandbox}`, `"${file}"`);
  const spec = detectedIn(run, head);
  const log = (line: string) => io.progress.line(line);
  const host = sandboxHost(run.config);
  const { name } = await buildEnvironmentImage({
    file: resolve(file),
    log,
    signal: io.signal,
    host,
  });
  return inImage(spec, name);
}

function detectedIn({ ledger }: OpenRun, head: string): EnvironmentSpec {
  const files = readTree(ledger, head)
    .filter(isFile)
    .map(({ path, sha256 }) => ({ path, read: () => ledger.get(sha256) }));
  const detected = detectEnvironment(files);
  if (detected.found) return detected.spec;
  throw new Fault(`environment failed: ${detected.detail}`, { code: 'environment-failed' });
}

/** Parse an environment.json; every problem at once. */
function readEnvironment(file: string): EnvironmentSpec {
  const parsed = EnvironmentSpec.safeParse(parseJson(file));
  if (parsed.success) return parsed.data;
  throw usageError(
    parsed.error.issues.map(({ path, message }) => ({
      path: path.map(String).join('.') || 'environment',
      expected: message,
      got: 'something else',
      file,
      line: null,
    })),
  );
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw flagError('--env', 'a JSON file that can be read', `"${file}" (${why})`);
  }
}
