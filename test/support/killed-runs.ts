import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLedger } from '../../pipeline/ledger/open.ts';
import { chunk, modelServer, type Reply, streamed, usageChunk } from './model-server.ts';
import { type Ended, startCli } from './spawned-cli.ts';
import { tempFolder } from './temp-folder.ts';
import { answerOf, TILL, tillConfig } from './till.ts';

/** When a life ends: after so many more lines of the ledger, or after so long. By SIGKILL, unless it is asked to stop. */
export type Kill = ({ readonly events: number } | { readonly ms: number }) & {
  readonly signal?: 'SIGINT';
};

/** One process of a run. `executed`: test runs that it began; `stored`: those that it noted. */
export type Life = {
  readonly kill: Kill | null;
  readonly ended: Ended;
  readonly executed: number;
  readonly stored: number;
  /** Lines of the ledger at its end. */
  readonly lines: number;
};

/** A folder with the story, a model server that counts, and a count of every test run that begins. */
export type Story = {
  readonly folder: string;
  readonly boxes: string;
  readonly seen: readonly unknown[];
  /** Names of the boxes in which a test run began, in order. */
  begun(): string[];
};

const answered: Reply = (response, seen) => {
  const whole = streamed(
    chunk({ content: answerOf(String(seen.body.model)) }),
    chunk({}, 'stop'),
    usageChunk,
  );
  whole(response, seen);
};

/** Loaded before the runner: a line a run, with the box that its process belongs to. */
const counting = (log: string) =>
  `import { appendFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('/node-test.mjs')) appendFileSync(${JSON.stringify(log)}, process.env.CSW_BOX + '\\n');
`;

/** Lay the story down with everything that has to be counted. */
export async function countedStory(): Promise<Story> {
  const folder = tempFolder();
  const boxes = join(folder, 'boxes');
  const log = join(folder, 'begun.log');
  mkdirSync(boxes);
  writeFileSync(log, '');
  writeFileSync(join(folder, 'count.mjs'), counting(log));
  cpSync(TILL, join(folder, 'till'), { recursive: true });
  const file = join(folder, 'till', 'pack.json');
  const pack = JSON.parse(readFileSync(file, 'utf8'));
  pack.environment.args = ['--import', join(folder, 'count.mjs')];
  writeFileSync(file, JSON.stringify(pack));
  const { url, seen } = await modelServer(answered);
  const fields = `provider: openai, base_url: "${url}", price: {input: 1, output: 10}`;
  writeFileSync(join(folder, 'pipeline.yaml'), tillConfig(fields));
  const begun = () => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return { folder, boxes, seen, begun };
}

const ledgerIn = (folder: string) => join(folder, 'main', 'ledger.sqlite');

/** Lines in a ledger beside its writer; none where there is no ledger yet. */
function linesIn(out: string): number {
  if (!existsSync(ledgerIn(out))) return 0;
  const database = new DatabaseSync(ledgerIn(out), { readOnly: true });
  try {
    return Number(database.prepare('select count(*) as n from events').get()?.n);
  } catch {
    return 0; // The table is made a moment after the file.
  } finally {
    database.close();
  }
}

const testsRan = (out: string): number => {
  if (!existsSync(ledgerIn(out))) return 0;
  const ledger = openLedger({ folder: join(out, 'main'), mode: 'read', clock: { now: () => 0 } });
  const count = ledger.events('tests-ran').length;
  ledger.close();
  return count;
};

/** Start the command, wait for the moment, and kill it; or let it end. */
export async function live(story: Story, out: string, kill: Kill | null): Promise<Life> {
  const [before, lines] = [testsRan(out), linesIn(out)];
  const { child, ended } = startCli(['run', `pack:${join(story.folder, 'till')}`, '--out', out], {
    cwd: story.folder,
    env: { TMPDIR: story.boxes },
  });
  let over = false;
  const end = ended.then((how) => {
    over = true;
    return how;
  });
  if (kill !== null) {
    if ('ms' in kill) await Promise.race([sleep(kill.ms), end]);
    else while (!over && linesIn(out) < lines + kill.events) await sleep(3);
    child.kill(kill.signal ?? 'SIGKILL');
  }
  const how = await end;
  const mine = story.begun().filter((box) => box.split('.')[2] === String(child.pid));
  const stored = testsRan(out) - before;
  return { kill, ended: how, executed: mine.length, stored, lines: linesIn(out) };
}

/** Box folders that are still there. */
export const boxesLeft = ({ boxes }: Story): string[] =>
  readdirSync(boxes).filter((name) => name.startsWith('csw-box'));

/** The list of every byte of a release. */
export const sumsOf = (out: string): string =>
  readFileSync(join(out, 'main', 'release', 'SHA256SUMS'), 'utf8');
