/** @module-tag slow */
import { type ExecFileException, execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HarborReward } from '../../../schemas/harbor-task.ts';
import { harbor } from '../../../stages/exporters/harbor.ts';
import { environmentDockerfile } from '../../../stages/exporters/image.ts';
import { releaseOptions } from '../../support/release.ts';
import { buildStory, type Story, storyFiles } from '../../support/story.ts';

const root = mkdtempSync(join(tmpdir(), 'harbor-'));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));
let story: Story;
beforeAll(async () => {
  story = await buildStory(join(root, 'scratch'), { 'docs/crlf.txt': 'one\r\ntwo\r\n' });
});

/** The shipped scripts have fixed roots and no hooks for tests, so their text is moved below a folder of ours. */
const moved = (text: string, place: string) =>
  text.replace(/(?<![\w.{(])\/(testbed|logs|opt\/csw|tests|solution|cand)\b/g, `${place}/$1`);

/** A task folder laid out as its images would hold it: environment built, tests and solution in place. */
function laidOut(name: string): string {
  const place = join(root, name);
  for (const { path, bytes } of harbor.files([story.input], releaseOptions())) {
    const [, , part, ...rest] = path.split('/');
    const target = join(place, { environment: 'opt/csw' }[part ?? ''] ?? part ?? '', ...rest);
    mkdirSync(dirname(target), { recursive: true });
    const text = new TextDecoder().decode(bytes);
    writeFileSync(target, target.endsWith('.sh') ? moved(text, place) : bytes);
  }
  built(place);
  return place;
}

/** The steps of the Dockerfile that make the work folder and its git, run by bash as Docker would. */
function built(place: string): void {
  const steps = environmentDockerfile(story.input)
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line.startsWith('RUN cd /testbed'))
    .map((line) => line.slice(4));
  mkdirSync(join(place, 'testbed'));
  execFileSync('tar', ['-xf', join(place, 'opt/csw/base.tar'), '-C', join(place, 'testbed')]);
  for (const step of steps)
    execFileSync('bash', ['-c', moved(step, place)], { env: hostile(place) });
}

/** A user whose settings change everything that git prints and reads. */
function hostile(place: string): Record<string, string> {
  const config = join(place, 'gitconfig');
  const text = '[core]\n\tautocrlf = true\n[diff]\n\tnoprefix = true\n[color]\n\tui = always\n';
  writeFileSync(config, text);
  const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  return { PATH, GIT_CONFIG_GLOBAL: config, HOME: place };
}

const bash = (script: string, place: string) =>
  new Promise<{ code: ExecFileException['code'] | 0; out: string }>((resolve) => {
    execFile('bash', [join(place, script)], { env: hostile(place) }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, out: stdout + stderr });
    });
  });

async function graded(place: string) {
  const { code, out } = await bash('tests/test.sh', place);
  const file = join(place, 'logs/verifier/reward.json');
  const reward = existsSync(file)
    ? HarborReward.parse(JSON.parse(readFileSync(file, 'utf8')))
    : null;
  return { code, out, reward };
}

async function submitted(place: string) {
  const { code, out } = await bash('opt/csw/collect.sh', place);
  expect(code, out).toBe(0);
  return graded(place);
}

describe.concurrent('the Harbor folder', { timeout: 60_000 }, () => {
  test('the oracle is worth 1', async () => {
    const place = laidOut('oracle');
    expect((await bash('solution/solve.sh', place)).code).toBe(0);
    const solved = readFileSync(join(place, 'testbed/src/limit.mjs'), 'utf8');
    expect(solved).toBe(storyFiles.gold['src/limit.mjs']);
    const { code, reward } = await submitted(place);
    expect([code, reward?.reward]).toEqual([0, 1]);
    const text = readFileSync(join(place, 'logs/verifier/reward.txt'), 'utf8');
    expect(text).toBe('1\n');
  });

  test('doing nothing is worth 0, with an empty patch', async () => {
    const place = laidOut('nop');
    const { code, reward } = await submitted(place);
    expect(readFileSync(join(place, 'logs/artifacts/model.patch'), 'utf8')).toBe('');
    expect([code, reward]).toEqual([
      0,
      expect.objectContaining({ reward: 0, conforms: 1, p2p: 1 }),
    ]);
  });

  test('what tools leave behind is not collected, what a solver adds is', async () => {
    const place = laidOut('droppings');
    await bash('solution/solve.sh', place);
    mkdirSync(join(place, 'testbed/node_modules/x'), { recursive: true });
    writeFileSync(join(place, 'testbed/node_modules/x/index.js'), '');
    expect((await submitted(place)).reward).toMatchObject({ reward: 1 });
    writeFileSync(join(place, 'testbed/.gitattributes'), '* text\n');
    writeFileSync(join(place, 'testbed/.gitignore'), '*\n');
    expect((await submitted(place)).reward).toMatchObject({ reward: 0, conforms: 0 });
  });

  test('a solver that commits and moves refs is judged by its tree', async () => {
    const place = laidOut('moved-head');
    await bash('solution/solve.sh', place);
    appendFileSync(join(place, 'testbed/test/limit.test.mjs'), '// weaker\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', ...args], {
        cwd: join(place, 'testbed'),
      });
    git('commit', '-qam', 'weaken');
    rmSync(join(place, 'testbed/.git'), { recursive: true });
    const { reward } = await submitted(place);
    expect(reward).toMatchObject({ reward: 0, conforms: 0 });
  });

  test('a reward planted beforehand does not stay', async () => {
    const place = laidOut('planted');
    mkdirSync(join(place, 'logs/verifier'), { recursive: true });
    writeFileSync(join(place, 'logs/verifier/reward.json'), '{"reward":1}');
    rmSync(join(place, 'opt/csw/base.tar'));
    const { code, reward } = await graded(place);
    expect([code, reward]).toEqual([3, null]);
  });

  test.each([
    ['no patch was collected', (_: string) => undefined],
    ['the patch is a link', (place: string) => symlinkSync('/etc/passwd', place)],
  ])('where %s, nothing is measured', async (name, lay) => {
    const place = laidOut(name.replaceAll(' ', '-'));
    mkdirSync(join(place, 'logs/artifacts'), { recursive: true });
    lay(join(place, 'logs/artifacts/model.patch'));
    const { code, reward, out } = await graded(place);
    expect([code, reward]).toEqual([3, null]);
    expect(out).toContain('no model.patch was collected');
  });

  test('a patch that git refuses is an invalid candidate', async () => {
    const place = laidOut('refused');
    mkdirSync(join(place, 'logs/artifacts'), { recursive: true });
    writeFileSync(join(place, 'logs/artifacts/model.patch'), 'no patch\n');
    const { code, reward } = await graded(place);
    expect([code, reward]).toEqual([
      0,
      expect.objectContaining({ reward: 0, conforms: 0, graded: 1 }),
    ]);
  });

  test('a broken verifier writes no reward and does not end well', async () => {
    const place = laidOut('broken');
    await submitted(place);
    writeFileSync(join(place, 'tests/tests.json'), '{');
    const { code, reward } = await graded(place);
    expect([code, reward]).toEqual([3, null]);
  });
});

test('every kind of change travels in the collected patch, byte for byte', async () => {
  const place = laidOut('kinds');
  const bed = join(place, 'testbed');
  rmSync(join(bed, 'LICENSE'));
  chmodSync(join(bed, 'README.md'), 0o755);
  writeFileSync(join(bed, 'docs/crlf.txt'), 'one\r\nTWO\r\n');
  writeFileSync(join(bed, 'crlf.txt'), 'one\r\ntwo\r\n');
  writeFileSync(join(bed, 'empty'), '');
  writeFileSync(join(bed, 'binary'), Buffer.from([0, 255, 10, 13, 0]));
  symlinkSync('README.md', join(bed, 'link'));
  const index = readFileSync(join(bed, '.git/index'));
  await bash('opt/csw/collect.sh', place);
  expect(readFileSync(join(bed, '.git/index'))).toEqual(index);
  const copy = join(place, 'copy');
  mkdirSync(copy);
  execFileSync('tar', ['-xf', join(place, 'opt/csw/base.tar'), '-C', copy]);
  const patch = join(place, 'logs/artifacts/model.patch');
  execFileSync('git', ['apply', '--whitespace=nowarn', patch], {
    cwd: copy,
    env: { ...hostile(place), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CEILING_DIRECTORIES: '/' },
  });
  expect(readFileSync(patch, 'latin1')).toContain('-two\r\n+TWO\r\n');
  const diff = ['diff', '--no-index', '--no-prefix', '--stat', 'copy', 'testbed'];
  rmSync(join(bed, '.git'), { recursive: true });
  const clean = { ...hostile(place), GIT_CONFIG_GLOBAL: '/dev/null' };
  expect(execFileSync('git', diff, { cwd: place, env: clean }).toString()).toBe('');
});
