import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { daemon } from './kit.ts';

const adapter = (name: string) =>
  new URL(`../../../pipeline/sandboxes/${name}.ts`, import.meta.url).href;

/** Opens a box, starts a command that goes on for ever and waits to be killed. */
const program = (name: string, options: object, beacon: number) => `
  const [open] = Object.values(await import(${JSON.stringify(adapter(name))}));
  const sandbox = open(${JSON.stringify(options)});
  const spec = { environment: 1, language: 'javascript', runner: 'node-test', testFiles: ['t'], sourceFiles: ['s'],
    install: [], env: {}, paths: [], args: [], timeoutS: 60, image: null };
  const { signal } = new AbortController();
  const { environment } = await sandbox.prepare(spec, [], signal);
  await sandbox.use(environment, signal, async (box) => {
    const going = box.exec(['sh', '-c', 'echo up > up; exec sleep ${beacon}'], { timeoutMs: 600000 }, signal);
    while ((await box.read('up', 10)) === null) await new Promise((go) => setTimeout(go, 20));
    console.log('ready');
    await going;
  });
`;

/** Whether a process of this machine runs with these arguments, be it in a box or not. */
async function isBeaconLit(beacon: number): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(lines)).includes(`sleep\0${beacon}\0`);
}

/** Let a process of its own open a box, run a command in it and be killed by SIGKILL. */
export async function crashWithOpenBox({ name, run }: { name: string; run: string }) {
  const cache = await mkdtemp(join(tmpdir(), 'csw-crash-'));
  const beacon = 100_000 + Math.floor(Math.random() * 800_000);
  const options = { run, cache, host: daemon };
  const source = program(name, options, beacon);
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  child.kill('SIGKILL');
  await once(child, 'close');
  await rm(cache, { recursive: true });
  return {
    async isRunning(): Promise<boolean> {
      // The kernel needs a moment to bring down a namespace.
      for (let wait = 0; wait < 20 && (await isBeaconLit(beacon)); wait += 1) await sleep(50);
      return await isBeaconLit(beacon);
    },
  };
}
