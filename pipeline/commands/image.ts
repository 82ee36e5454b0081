import { defineCommand } from '../arguments.ts';
import { flagError } from '../config/usage-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { buildBaseImage, listBaseImages } from '../images/base.ts';

/** Makes the image that docker boxes start from. */
export const image = defineCommand({
  name: 'image',
  summary: 'make the base image for docker boxes from Debian packages, or list what is there',
  usage: 'pipeline image base [--force] | list',
  example: 'pipeline image base',
  options: { force: { kind: 'flag', help: 'Build also when an equal image is there.' } },
  positionals: [{ name: 'WHAT', help: 'base or list' }],
  async run(args, io) {
    const [what] = args.positionals;
    if (what !== 'base' && what !== 'list') throw flagError('WHAT', 'base or list', `"${what}"`);
    if (what === 'base' && !args['dry-run']) {
      const { signal } = io;
      await buildBaseImage({ log: (line) => io.progress.line(line), signal, force: args.force });
    }
    const images = await listBaseImages();
    for (const { names, id } of images) io.print(`${names.join(' ')} ${id}`);
    io.summarize({ verb: `image ${what}`, images });
    return exitCodes.done;
  },
});
