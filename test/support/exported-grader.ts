import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { baseTar, graderBundle } from '../../stages/exporters/bundle.ts';
import { releaseOptions } from './release.ts';
import { buildStory } from './story.ts';

type Candidate = Readonly<Record<string, string | Uint8Array>>;

/** Write files below a folder; returns the folder. */
export function put(folder: string, files: Candidate): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** What a process ended with; a failing one is data. */
const run = (argv: readonly string[]) =>
  new Promise<{ status: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, argv, (error, stdout) => {
      resolve({ status: error === null ? 0 : error.code, stdout });
    });
  });

/** The story's grader as it is exported, in a folder of its own, run as a process. */
export async function exportedGrader() {
  const root = mkdtempSync(join(tmpdir(), 'grader-'));
  // The suite runs as another user, who must reach what a test lays out for it.
  chmodSync(root, 0o755);
  const { input } = await buildStory(join(root, 'scratch'));
  const bundle = graderBundle(input, releaseOptions());
  put(join(root, 'tests'), Object.fromEntries(bundle.map(({ path, bytes }) => [path, bytes])));
  put(root, { 'base.tar': baseTar(input) });
  const pathOf = (name: string) => join(root, name);
  let count = 0;
  return {
    root,
    remove: () => rmSync(root, { recursive: true, force: true }),
    async grade(files: Candidate, { tests = 'tests', base = 'base.tar', extra = [''] } = {}) {
      const folder = pathOf(`case-${count++}`);
      const candidate = put(join(folder, 'candidate'), files);
      const reward = join(folder, 'verifier');
      mkdirSync(reward);
      const place = ['--base', pathOf(base), '--reward', reward];
      const flags = extra.filter((flag) => flag !== '');
      const ended = await run([join(pathOf(tests), 'grade.mjs'), candidate, ...place, ...flags]);
      const read = (name: string) => {
        const path = join(reward, name);
        return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
      };
      const details = read('details.json');
      return { ...ended, reward: read('reward.json'), text: read('reward.txt'), details };
    },
    async lines(candidate: string): Promise<string[]> {
      const script = pathOf('tests/grade.mjs');
      const { stdout } = await run([script, candidate, '--base', pathOf('base.tar'), '--lines']);
      return stdout.trim().split('\n');
    },
    /** A copy of the grader's folder with some files replaced; returns its name. */
    spoiled(name: string, files: Candidate): string {
      cpSync(pathOf('tests'), pathOf(name), { recursive: true });
      put(pathOf(name), files);
      return name;
    },
  };
}
