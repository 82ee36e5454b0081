import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HarborReward } from '../../../schemas/harbor-task.ts';
import { baseTar, graderBundle } from '../../../stages/exporters/bundle.ts';
import { releaseOptions } from '../../support/release.ts';
import { buildStory, storyFiles } from '../../support/story.ts';

const root = mkdtempSync(join(tmpdir(), 'grader-'));
// The suite runs as another user, who must reach what a test lays out for it.
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

beforeAll(async () => {
  const { input } = await buildStory(join(root, 'scratch'));
  const bundle = graderBundle(input, releaseOptions());
  put(join(root, 'tests'), Object.fromEntries(bundle.map(({ path, bytes }) => [path, bytes])));
  put(root, { 'base.tar': baseTar(input) });
});

/** What a process ended with; a failing one is data. */
const run = (argv: readonly string[]) =>
  new Promise<{ status: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, argv, (error, stdout) => {
      resolve({ status: error === null ? 0 : error.code, stdout });
    });
  });

let count = 0;
type Candidate = Readonly<Record<string, string | Uint8Array>>;

async function grade(
  files: Candidate,
  { tests = 'tests', base = 'base.tar', extra = [] as string[] } = {},
) {
  const folder = join(root, `case-${count++}`);
  const candidate = put(join(folder, 'candidate'), files);
  const reward = join(folder, 'verifier');
  mkdirSync(reward);
  const script = join(root, tests, 'grade.mjs');
  const ended = await run([
    script,
    candidate,
    '--base',
    join(root, base),
    '--reward',
    reward,
    ...extra,
  ]);
  const read = (name: string) =>
    existsSync(join(reward, name)) ? JSON.parse(readFileSync(join(reward, name), 'utf8')) : null;
  const details = read('details.json');
  return { ...ended, reward: read('reward.json'), text: read('reward.txt'), details };
}

async function lines(candidate: string): Promise<string[]> {
  const script = join(root, 'tests/grade.mjs');
  const { stdout } = await run([script, candidate, '--base', join(root, 'base.tar'), '--lines']);
  return stdout.trim().split('\n');
}

/** A copy of the grader's folder with some files replaced. */
function spoiled(name: string, files: Candidate): string {
  cpSync(join(root, 'tests'), join(root, name), { recursive: true });
  put(join(root, name), files);
  return name;
}

const source = (text: string) => ({ ...storyFiles.gold, 'src/limit.mjs': text });
const gold = storyFiles.gold['src/limit.mjs'] ?? '';

describe.concurrent('the exported grader', { timeout: 20_000 }, () => {
  test('gold is worth 1 in every group', async () => {
    const { status, reward, text, details } = await grade(storyFiles.gold);
    expect(details).toMatchObject({ outcome: 'valid-success', reason: null });
    expect(HarborReward.parse(reward)).toEqual({
      reward: 1,
      conforms: 1,
      graded: 1,
      r1: 1,
      r2: 1,
      r1_r2: 1,
      p2p: 1,
      partial: 1,
    });
    expect([status, text]).toEqual([0, 1]);
  });

  test.each([
    ['the untouched base', storyFiles.base, { r1: 0, r2: 0, r1_r2: 0, p2p: 1, partial: 0 }],
    ['requirement 1 alone', storyFiles.r1, { r1: 1, r2: 0, r1_r2: 0, p2p: 1, partial: 1 / 3 }],
    ['requirement 2 alone', storyFiles.r2, { r1: 0, r2: 1, r1_r2: 0, p2p: 1, partial: 1 / 3 }],
    [
      'a broken module',
      source('export const allow = ;\n'),
      { r1: 0, r2: 0, r1_r2: 0, p2p: 0, partial: 0 },
    ],
  ])('%s keeps the contract and is worth 0', async (_, files, groups) => {
    const { status, reward, details } = await grade(files);
    expect(reward).toEqual({ reward: 0, conforms: 1, graded: 1, ...groups });
    expect(details.outcome).toBe('safe-failure');
    expect(status).toBe(1);
  });

  test.each([
    ['a changed protected file', { 'README.md': '# limiter \n' }, 'bytes.protected "README.md"'],
    ['a changed test', { 'test/limit.test.mjs': '' }, 'bytes.protected "test/limit.test.mjs"'],
    ['a new conftest', { 'conftest.py': 'x = 1\n' }, 'path.added "conftest.py"'],
    [
      'a new runner config',
      { 'src/vitest.config.mjs': 'export default {};\n' },
      'create.protected',
    ],
    ['one file too many', { 'src/a.mjs': 'x;\n', 'src/b.mjs': 'x;\n' }, 'create.cap "src/b.mjs"'],
    [
      'a forbidden construct',
      { 'src/limit.mjs': `${gold}process.exit(0);\n` },
      'forbidden:ts/exit',
    ],
    ['text that turns around', { 'src/limit.mjs': `${gold}// \u202e\n` }, 'text.bidi'],
  ])('%s is a violation, and no test runs', async (_, files, reason) => {
    const { reward, details } = await grade({ ...storyFiles.gold, ...files });
    expect(details.reason).toContain(reason);
    expect(details.outcome).toBe('rejected-violation');
    expect(reward).toEqual({
      reward: 0,
      conforms: 0,
      graded: 1,
      r1: 0,
      r2: 0,
      r1_r2: 0,
      p2p: 0,
      partial: 0,
    });
  });

  test('a new file within the contract is graded with the rest', async () => {
    const max = 'export const MAX = 3;\n';
    const files = source(`import { MAX } from './max.mjs';\n${gold.replace(/const MAX.*\n/, '')}`);
    expect((await grade({ ...files, 'src/max.mjs': max })).reward).toMatchObject({ reward: 1 });
  });

  const forged = [
    ['prints what a passing run prints', `console.log('[PASSED] contract > conforms');`],
    ['leaves with success', `globalThis['process']['exit'](0);`],
    [
      'writes over the report',
      `import { readdirSync, writeFileSync } from 'node:fs';
     for (const name of readdirSync('../run')) if (name === 'report') writeFileSync('../run/report', '');`,
    ],
    [
      'rewrites the hidden tests while they run',
      `import { writeFileSync } from 'node:fs';
     writeFileSync('test/rules.test.mjs', '');`,
    ],
  ] as const;

  test.each(forged)('a candidate that %s gains nothing', async (_, code) => {
    const { reward, details } = await grade(source(`${code}\n${storyFiles.base['src/limit.mjs']}`));
    expect(reward.reward, JSON.stringify(details)).toBe(0);
  });

  test('a candidate that never ends fails, and only that', async () => {
    const tests = JSON.parse(readFileSync(join(root, 'tests/tests.json'), 'utf8'));
    tests.suite.timeout_s = 3;
    const short = spoiled('short', { 'tests.json': JSON.stringify(tests) });
    const { reward, details } = await grade(source(`${gold}setInterval(() => 0, 1000);\n`), {
      tests: short,
    });
    expect(reward).toMatchObject({ reward: 0, conforms: 1, graded: 1 });
    expect(details).toMatchObject({ outcome: 'safe-failure', reason: 'build.timeout' });
  });

  // Only root, or a machine that lends namespaces to everybody, can end what left its process group.
  test.runIf(process.getuid?.() === 0)(
    'a detached child of the suite does not outlive it',
    async () => {
      const folder = join(root, 'marks');
      mkdirSync(folder);
      chmodSync(folder, 0o777);
      const code = `import { spawn } from 'node:child_process';
spawn('sh', ['-c', 'touch ${folder}/started; sleep 2; touch ${folder}/outlived'], { detached: true, stdio: 'ignore' }).unref();
`;
      expect((await grade(source(code + gold))).reward.reward).toBe(1);
      await setTimeout(2200);
      expect(readdirSync(folder)).toEqual(['started']);
    },
  );

  test('a patch that did not apply is an invalid candidate', async () => {
    const { reward, details } = await grade(storyFiles.gold, { extra: ['--invalid'] });
    expect(details.outcome).toBe('invalid-candidate');
    expect(reward).toMatchObject({ reward: 0, conforms: 0, graded: 1 });
  });

  test('a link that leaves the tree makes no candidate', async () => {
    const folder = put(join(root, 'linked'), storyFiles.gold);
    symlinkSync('/etc/passwd', join(folder, 'src/x.mjs'));
    expect((await lines(folder)).filter((line) => !line.startsWith('[FAILED]'))).toEqual([]);
  });

  test('lines name each expected test once and the contract last', async () => {
    expect(await lines(put(join(root, 'lines'), storyFiles.r1))).toEqual([
      '[PASSED] test/rules.test.mjs > limit > refuses the fourth call',
      '[FAILED] test/rules.test.mjs > limit > never counts below zero',
      '[FAILED] test/rules.test.mjs > limit > each allowed call uses one',
      '[PASSED] test/limit.test.mjs > allows the third call',
      '[PASSED] test/limit.test.mjs > counts from three',
      '[PASSED] contract > conforms',
    ]);
  });

  test.each([
    ['a damaged base', () => ({ base: 'damaged.tar' })],
    [
      'a damaged hidden test',
      () => ({ tests: spoiled('damaged', { 'hidden/test/rules.test.mjs': '' }) }),
    ],
  ])('%s is a fault: exit 3 and no reward file', async (_, place) => {
    put(root, { 'damaged.tar': 'no archive' });
    const { status, reward, text, stdout } = await grade(storyFiles.gold, place());
    expect([status, reward, text]).toEqual([3, null, null]);
    expect(stdout).toContain('>>>>> Tests Errored');
  });
});
