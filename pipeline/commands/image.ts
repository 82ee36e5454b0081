import { defineCommand } from '../arguments.ts';
import { flagError } from '../config/usage-problem.ts';
import { hostEnvironment } from '../env.ts';
import { exitCodes } from '../exit-codes.ts';
import { buildBaseImage } from '../images/base.ts';
import { listOwnImages, pruneImages } from '../images/prune.ts';
import { outFolder } from '../run-folder.ts';

const MIB = 1024 ** 2;
const WORDS = ['base', 'list', 'prune'] as const;

/** Makes the image that docker boxes start from, and looks after the images that were made here. */
export const image = defineCommand({
  name: 'image',
  summary: 'make the base image for docker boxes from Debian packages; list or prune our images',
  usage: 'pipeline image base [--force] | list | prune',
  example: 'pipeline image base',
  options: { force: { kind: 'flag', help: 'Build also when an equal image is there.' } },
  positionals: [{ name: 'WHAT', help: 'base, list or prune' }],
  async run(args, io) {
    const what = WORDS.find((word) => word === args.positionals[0]);
    if (what === undefined)
      throw flagError('WHAT', 'base, list or prune', `"${args.positionals[0]}"`);
    const host = hostEnvironment();
    const wanted = { out: outFolder(args.out), clock: io.clock, host };
    if (what === 'base' && !args['dry-run']) {
      const { signal } = io;
      const log = (line: string) => io.progress.line(line);
      await buildBaseImage({ log, signal, force: args.force, host });
    }
    const removed = what === 'prune' && !args['dry-run'] ? await pruneImages(wanted) : [];
    for (const { names, bytes } of removed)
      io.print(`removed ${names.join(' ')}, ${Math.round(bytes / MIB)} MB`);
    const images = await listOwnImages(wanted);
    for (const { names, id, bytes, isUsed } of images)
      io.print(`${names.join(' ')} ${id} ${Math.round(bytes / MIB)} MB${isUsed ? '' : ', unused'}`);
    io.summarize({ verb: `image ${what}`, images, removed });
    return exitCodes.done;
  },
});
