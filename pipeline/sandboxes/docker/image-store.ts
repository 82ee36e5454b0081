import { createReadStream } from 'node:fs';
import type Docker from 'dockerode';
import { z } from 'zod';
import { Fault } from '../../../stages/fault.ts';
import { buildImage, type ImageBuild, type ImageBuilt } from './build-image.ts';
import { askDaemon, connect, type Daemon, statusOf } from './client.ts';

/** A local image: its id and the names it goes by. */
export type StoredImage = {
  readonly id: string;
  readonly names: readonly string[];
  readonly bytes: number;
};

/** What a daemon keeps, for those who make images and do not speak to it themselves. */
export type ImageStore = {
  /** The daemon's own folder, where images take their room. */
  readonly folder: string;
  /** The id behind a name, or null. */
  find(name: string): Promise<string | null>;
  list(repository: string): Promise<StoredImage[]>;
  tag(id: string, repository: string, tag: string): Promise<void>;
  /** Make an image of a root file system in a tar file. */
  importTar(file: string, repository: string, tag: string): Promise<string>;
  /** Build from a Dockerfile; a step that fails is an answer, not a Fault. */
  build(
    request: ImageBuild,
  ): Promise<Extract<ImageBuilt, { ok: false }> | { ok: true; id: string }>;
  /** Take one name away, and with the last one the image. false: something still uses it. */
  remove(name: string): Promise<boolean>;
};

/** Connect to the daemon of this machine. Throws Faults that name what is missing. */
export async function openImageStore(host: Readonly<Record<string, string>>): Promise<ImageStore> {
  const daemon = await connect(host);
  const { docker, socket } = daemon;
  const ask = <T>(work: () => Promise<T>) => askDaemon('image store', socket, work);
  const info = await ask(() => docker.info());
  return {
    folder: String(info.DockerRootDir),
    find: (name) => findImage(daemon, name),
    async list(repository) {
      const all = await ask(() => docker.listImages({ filters: { reference: [repository] } }));
      return all.map(({ Id, RepoTags, Size }) => ({ id: Id, names: RepoTags ?? [], bytes: Size }));
    },
    build: (request) =>
      ask(async () => {
        const built = await buildImage(daemon, request);
        if (!built.ok) return built;
        const id = await findImage(daemon, request.name);
        if (id !== null) return { ok: true, id };
        const message = `Build of ${request.name} failed: the daemon reported no error and made no image. Read its log.`;
        throw new Fault(message, { code: 'sandbox-failed' });
      }),
    remove: (name) => ask(() => removeImage(docker, name)),
    tag: (id, repo, tag) => ask(async () => void (await docker.getImage(id).tag({ repo, tag }))),
    importTar: (file, repository, tag) =>
      ask(async () => {
        const id = await sendTar(docker, file, repository, tag);
        if (id !== null) {
          // Podman 4 puts "latest" for the tag that it was asked for.
          await docker.getImage(id).tag({ repo: repository, tag });
          return id;
        }
        const message = `Import of ${repository}:${tag} failed: the daemon reported no error and made no image. Read its log.`;
        throw new Fault(message, { code: 'sandbox-failed' });
      }),
  };
}

async function findImage({ docker, socket }: Daemon, name: string): Promise<string | null> {
  return await askDaemon('image store', socket, async () => {
    try {
      return (await docker.getImage(name).inspect()).Id;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  });
}

async function removeImage(docker: Docker, name: string): Promise<boolean> {
  try {
    await docker.getImage(name).remove();
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return true;
    if (statusOf(error) === 409) return false;
    throw error;
  }
}

const Report = z.array(z.object({ error: z.string().optional(), status: z.string().optional() }));

/** The id of the image that a tar became. The answer is a stream of records that ends well also when one of them is an error. */
async function sendTar(
  docker: Docker,
  file: string,
  repo: string,
  tag: string,
): Promise<string | null> {
  const answer = await docker.importImage(createReadStream(file), { repo, tag });
  const records = await new Promise<unknown>((resolve, reject) => {
    docker.modem.followProgress(answer, (error, output) =>
      error ? reject(error) : resolve(output),
    );
  });
  const report = Report.parse(records);
  const failed = report.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(failed.error);
  const last = report.findLast(({ status }) => status?.startsWith('sha256:'));
  return last?.status ?? null;
}
