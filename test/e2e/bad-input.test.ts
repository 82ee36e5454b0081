import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLedger } from '../../pipeline/ledger/open.ts';
import { pipeline } from '../support/finished-till.ts';
import { summaryIn } from '../support/spawned-cli.ts';
import { git, tempFolder, tempRepo } from '../support/temp-repo.ts';
import { TILL } from '../support/till.ts';

const manifest = '{"name": "limiter", "type": "module"}\n';
const files = (limit: number) => ({
  'package.json': manifest,
  'src/limit.js': `export const limit = ${limit};\n`,
  'test/limit.test.js': `import { test } from 'node:test';\ntest('limit ${limit}', () => {});\n`,
});
const story = (at: number) => ({
  message: `Set the limit to ${at} (#${at})\n\nThe limit must be ${at}.`,
  files: files(at),
});

const mine = (source: string, ...more: string[]) =>
  pipeline('mine', source, '--out', join(tempFolder(), 'out'), '--json', ...more);

function unborn(): string {
  const path = tempFolder();
  git(path, ['init', '--quiet', '--initial-branch=main', '--template=']);
  return path;
}

function shallow(): string {
  const path = join(tempFolder(), 'shallow');
  const full = tempRepo([story(1), story(2), story(3)]);
  git(tempFolder(), ['clone', '--quiet', '--depth=1', `file://${full}`, path]);
  return path;
}

test.each([
  ['no git repository', tempFolder, 'source-not-git', /is no git repository|not a git repository/],
  ['an unborn branch', unborn, 'source-unborn', /commit/],
  ['a shallow clone without the needed commit', shallow, 'source-shallow', /fetch --unshallow/],
] as const)('%s is a fault with its own code', async (_what, make, code, message) => {
  const { code: exit, stderr, stdout } = await mine(`git:${make()}`);
  expect(exit, stderr).toBe(75);
  expect(stderr).toMatch(message);
  expect(summaryIn(stdout)).toMatchObject({ error: { code } });
});

test('bad lines of an archive and a second thread of a number are counted by line, the rest goes on', async () => {
  const folder = tempFolder();
  const thread = (number: number, title: string) =>
    JSON.stringify({
      number,
      kind: 'issue',
      title,
      body: 'The limit must be 2.',
      author: 'ada',
      state: 'closed',
      createdAt: '2025-01-01T00:00:00Z',
    });
  const lines = [thread(1, 'one'), '{"number": 2,', thread(2, 'two'), thread(1, 'again')];
  writeFileSync(join(folder, 'threads.jsonl'), `${lines.join('\n')}\n`);
  const repo = tempRepo([story(1), story(2)]);
  const archive = `archive:${join(folder, 'threads.jsonl')}`;
  const { code, stderr, stdout } = await mine(archive, '--repo', repo);
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/2 read, left out: not-json \(line 2\) 1, duplicate \(line 4\) 1/);
  expect(summaryIn(stdout)).toMatchObject({ sources: [{ name: 'limiter' }] });
});

test('every mistake in a run file is named at once, and nothing is begun', async () => {
  const out = join(tempFolder(), 'out');
  const file = join(tempFolder(), 'pipeline.yaml');
  const yaml = [
    'models:',
    '  - {name: oak, provider: mailbox, colour: red}',
    'roles: {solvers: [aok], judge: oak}',
    'synthesise: {batch: 2}',
    '',
  ];
  writeFileSync(file, yaml.join('\n'));
  const { code, stderr } = await pipeline('run', `pack:${TILL}`, '--config', file, '--out', out);
  expect(code).toBe(2);
  const named = stderr.trimEnd().split('\n');
  expect(named).toHaveLength(4);
  expect(stderr).toMatch(/colour.*pipeline\.yaml:2/);
  expect(stderr).toMatch(/roles\.solvers.*did you mean "oak".*got "aok"/);
  expect(stderr).toMatch(/judge.*pipeline\.yaml:3/);
  expect(stderr).toMatch(/did you mean "synthesize".*got "synthesise".*pipeline\.yaml:4/);
});

const belowFile = (): string => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  return join(file, 'out');
};

test.each([
  // Not even root may make a folder there.
  ['the folder of the system', () => '/sys/codespecweave'],
  ['a place below a file', belowFile],
])('out/ in %s is a fault that names it', async (_where, make) => {
  const out = make();
  const { code, stderr, stdout } = await pipeline('mine', `pack:${TILL}`, '--out', out, '--json');
  expect(code, stderr).toBe(75);
  expect(stderr).toContain(out);
  expect(stderr).toContain('name another folder with --out');
  expect(summaryIn(stdout)).toMatchObject({ error: { code: 'out-not-writable' } });
});

test('a run that another process writes is left alone, and its pid is said', async () => {
  const out = tempFolder();
  const clock = { now: () => 0 };
  const ledger = openLedger({ folder: join(out, 'main'), mode: 'write', clock });
  onTestFinished(ledger.close);
  const { code, stderr, stdout } = await pipeline('mine', `pack:${TILL}`, '--out', out, '--json');
  expect(code).toBe(75);
  expect(stderr).toContain(`process ${process.pid} is writing`);
  expect(summaryIn(stdout)).toMatchObject({ error: { code: 'ledger-busy' } });
});

test('without a Docker daemon every record waits for one, and nothing is lost', async () => {
  vi.stubEnv('DOCKER_HOST', 'unix:///no/docker.sock');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const out = join(tempFolder(), 'out');
  const argv = ['synthesize', `pack:${TILL}`, '--mode', 'forward', '--out', out, '--json'];
  const { code, stderr, stdout } = await pipeline(...argv, '--sandbox', 'docker');
  expect(code).toBe(1);
  expect(stderr).toMatch(/fault \(sandbox-missing\) in build: .*\/no\/docker\.sock/);
  expect(summaryIn(stdout)).toMatchObject({
    funnel: { drafted: 2, 'draft-invalid': 1, 'fault:sandbox-missing': 1 },
  });
  const status = summaryIn((await pipeline('status', '--out', out, '--json')).stdout);
  expect(status).toMatchObject({ waitingFor: { build: 1 }, sealed: true });
});

test('what lies in the way of a run is no run', async () => {
  const out = tempFolder();
  mkdirSync(join(out, 'main'));
  const { code, stderr } = await pipeline('tasks', 'list', '--out', out);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^--run: expected a run, got none in/)]);
});

test.each([['solve'], ['review'], ['export']])(
  '%s refuses a run that does not exist, and makes none of it',
  async (verb) => {
    const out = tempFolder();
    const { code, stderr } = await pipeline(verb, '--run', 'nosuch', '--out', out);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('--run');
    expect(existsSync(join(out, 'nosuch'))).toBe(false);
  },
);

test('a pack that does not exist is named beside those that do', async () => {
  const { code, stderr } = await mine('pack:nothing');
  expect(code, stderr).toBe(75);
  expect(stderr).toMatch(/no pack\.json .*token-bucket/);
});
