import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { hostEnvironment } from '../../pipeline/env.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROLLOUTS = 40;
const source = (name: string) =>
  new URL(`../../pipeline/sandboxes/${name}.ts`, import.meta.url).href;

/** Each rollout lays a tree, runs a command that prints more than is kept, writes and reads back. All at once. */
const program = (name: string, run: string, cache: string) => `
  const [open] = Object.values(await import(${JSON.stringify(source(name))}));
  const { readdirSync } = await import('node:fs');
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const sandbox = open(${JSON.stringify({ run, cache, host: {} })});
  const spec = { environment: 1, language: 'javascript', runner: 'node-test', testFiles: ['t'], sourceFiles: ['s'],
    install: [], env: {}, paths: [], args: [], timeoutS: 60, image: null };
  const { signal } = new AbortController();
  const { environment } = await sandbox.prepare(spec, [], signal);
  const bytes = (text) => new TextEncoder().encode(text);
  const tree = (at) => Array.from({ length: 50 }, (_, file) => ({ path: 'src/' + file, kind: 'file', bytes: bytes(at + ':' + file) }));
  const rollout = (at) => sandbox.use(environment, signal, async (box) => {
    await box.write(tree(at));
    const script = 'head -c 5000000 /dev/zero | tr "\\\\0" x; cat src/7 > mine; exit ' + (at % 3);
    const exit = await box.exec(['sh', '-c', script], { timeoutMs: 300000 }, signal);
    const mine = Buffer.from(await box.read('mine', 100)).toString();
    return [exit.code === at % 3, exit.timedOut, exit.droppedBytes > 0, mine === at + ':7', (await box.tree()).length].join();
  });
  await rollout(0);
  const before = descriptors();
  const ended = await Promise.all(Array.from({ length: ${ROLLOUTS} }, (_, at) => rollout(at)));
  // A connection that is kept for the next call is no leak; it closes by itself.
  for (let wait = 0; wait < 50 && descriptors() > before; wait += 1) await new Promise((go) => setTimeout(go, 200));
  console.log(JSON.stringify({ ended: [...new Set(ended)], count: ended.length, leaked: Math.max(0, descriptors() - before),
    megabytes: process.resourceUsage().maxRSS / 1000 }));
`;

const GROUPS = ['/sys/fs/cgroup/pids/codespecweave', '/sys/fs/cgroup/codespecweave'];

/** Every box, container and control group with this label. */
async function leftOf(run: string, boxes: string, isDocker: boolean): Promise<string[]> {
  const folders = readdirSync(boxes).filter((name) => name.startsWith('csw-box'));
  const groups = GROUPS.filter((path) => existsSync(path)).flatMap((path) => readdirSync(path));
  const ours = groups.filter((name) => name.includes(`.${run}.`));
  if (!isDocker) return [...folders, ...ours];
  const filter = ['ps', '-aq', '--filter', `label=codespecweave.run=${run}`];
  const { stdout } = await promisify(execFile)('docker', filter);
  return [...folders, ...ours, ...stdout.split('\n').filter(Boolean)];
}

async function expectNothingLost(name: 'bwrap' | 'docker'): Promise<void> {
  const [cache, boxes] = [tempFolder(), tempFolder()];
  const run = `many-${name}-${process.pid}`;
  const argv = ['--input-type=module', '-e', program(name, run, cache)];
  const env = { ...hostEnvironment(), TMPDIR: boxes };
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env });
  const { megabytes, ...found } = JSON.parse(stdout);
  expect(found).toEqual({ ended: ['true,false,true,true,51'], count: ROLLOUTS, leaked: 0 });
  expect(megabytes).toBeGreaterThan(20);
  expect(megabytes).toBeLessThan(300);
  expect(await leftOf(run, boxes, name === 'docker')).toEqual([]);
}

describe('40 rollouts at once in less than 300 MB leave no box, no descriptor, and take none of another', () => {
  test('in bwrap', { tags: ['bwrap'], timeout: 300_000 }, () => expectNothingLost('bwrap'));
  test('in docker', { tags: ['docker'], timeout: 600_000 }, () => expectNothingLost('docker'));
});
