import { mkdtempSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../pipeline/commands/registry.ts';
import { runCli, type Said } from '../pipeline/cli/run-cli.ts';
import { realClock } from './real-clock.ts';
import { layAnswers, openLetters, TILL, tillConfig } from './till.ts';

/** A command line in this process, with the clock of the world. */
export const pipeline = (...argv: string[]): Promise<Said> =>
  runCli(argv, commands, { clock: realClock });

/** The story walked to its release through a mailbox, with what the way there said. Remove `folder` at the end. */
export type FinishedTill = {
  readonly folder: string;
  readonly out: string;
  readonly run: string;
  readonly command: readonly string[];
  /** What each start of the one command said. */
  readonly starts: readonly Said[];
  /** Who was answered for after each start but the last. */
  readonly answered: readonly (readonly string[])[];
  readonly status: Said;
  readonly refused: readonly string[];
};

/** Half an answer, in the place of one. */
function layHalf(box: string, entrant: string): void {
  const letter = openLetters(box).find(({ request }) => request.entrant === entrant);
  const path = letter?.path.replace('.request.', '.response.') ?? '';
  writeFileSync(`${path}.part`, '{"edits": [');
  renameSync(`${path}.part`, path);
}

/** The first answer of one model is spoiled, so that it is asked for once more. */
export async function finishedTill(): Promise<FinishedTill> {
  const folder = mkdtempSync(join(tmpdir(), 'codespecweave-till-'));
  const [out, file] = [join(folder, 'out'), join(folder, 'pipeline.yaml')];
  const run = join(out, 'main');
  const box = join(run, 'mailbox');
  writeFileSync(file, tillConfig('provider: mailbox'));
  const command = ['run', `pack:${TILL}`, '--config', file, '--out', out, '--no-wait', '--json'];
  const starts = [await pipeline(...command)];
  const status = await pipeline('status', '--out', out, '--json');
  layHalf(box, 'oak');
  const answered: string[][] = [[]];
  starts.push(await pipeline(...command));
  const refused = readdirSync(box).filter((name) => name.includes('.invalid-'));
  while (starts.at(-1)?.code === 75 && starts.length < 10) {
    answered.push(layAnswers(box));
    starts.push(await pipeline(...command));
  }
  return { folder, out, run, command, starts, answered, status, refused };
}
