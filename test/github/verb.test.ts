import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { mine } from '../../pipeline/commands/mine.ts';
import { only, runCli } from '../pipeline/cli/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serve, TOKEN } from './kit.ts';
import { packFixture, packRepository } from './pack-fixture.ts';

const cli = (...argv: string[]) => runCli(['mine', ...argv], only(mine));
const last = (stdout: string): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

describe('pipeline mine github:owner/name', () => {
  beforeEach(() => {
    vi.stubEnv('GITHUB_TOKEN', TOKEN);
    return () => vi.unstubAllEnvs();
  });

  test('reads threads online and the history from git, and the archive mines the same again offline', async () => {
    const server = await serve(packFixture());
    const folder = tempFolder();
    const [repo, out] = [packRepository(join(folder, 'repo.git')), join(folder, 'out')];
    const argv = ['github:demo/token-bucket', '--endpoint', server.endpoint, '--repo', repo];
    const online = await cli(...argv, '--out', out, '--run', 'online', '--json');
    expect([online.code, online.stderr]).toEqual([0, expect.not.stringContaining(TOKEN)]);
    const requests = server.heard.length;
    const archive = join(out, 'online/threads/demo+token-bucket/threads.jsonl');
    const offline = await cli(
      `archive:${archive}`,
      '--repo',
      repo,
      '--out',
      out,
      '--run',
      'offline',
      '--json',
    );
    expect(offline.code).toBe(0);
    const seeds = (run: string) =>
      readFileSync(join(out, run, 'seeds.jsonl'), 'utf8').replaceAll(/"source":"[^"]*"/gu, '');
    const ids = (text: string) => text.replaceAll(/"id":"[^"]*"/gu, '');
    expect(ids(seeds('offline'))).toBe(ids(seeds('online')));
    expect(seeds('online')).toContain('"closing-reference"');
    // Mined once, asked once.
    expect((await cli(...argv, '--out', out, '--run', 'online')).code).toBe(0);
    expect(server.heard).toHaveLength(requests);
  });

  test('estimates by one request, and reads nothing', async () => {
    const server = await serve(packFixture());
    const out = tempFolder();
    const argv = ['github:demo/token-bucket', '--endpoint', server.endpoint, '--out', out];
    const said = await cli(...argv, '--estimate', '--json');
    expect(said.code).toBe(0);
    expect(server.heard).toHaveLength(1);
    const { threads } = packFixture();
    const pulls = threads.filter(({ kind }) => kind === 'pull').length;
    expect(last(said.stdout)).toMatchObject({
      sources: [
        { repository: 'demo/token-bucket', issues: threads.length - pulls, pulls, requests: 3 },
      ],
    });
    expect(existsSync(join(out, 'main'))).toBe(false);
  });

  test.each([
    ['github:no-slash', 2, /expected github:owner\/name/],
    ['github:demo/', 2, /expected github:owner\/name/],
  ])('refuses %s', async (spec, code, message) => {
    const out = tempFolder();
    const said = await cli(spec, '--out', out, '--run', 'x');
    expect([said.code, said.stderr]).toEqual([code, expect.stringMatching(message)]);
    rmSync(out, { recursive: true, force: true });
  });

  test('without a token asks nobody and says which variable to set', async () => {
    vi.stubEnv('GITHUB_TOKEN', '');
    vi.stubEnv('GH_TOKEN', '');
    const server = await serve(packFixture());
    const argv = ['github:demo/token-bucket', '--endpoint', server.endpoint];
    const said = await cli(...argv, '--out', tempFolder(), '--run', 'x', '--json');
    expect([said.code, said.stderr]).toEqual([75, expect.stringContaining('Set GITHUB_TOKEN')]);
    expect(last(said.stdout)).toMatchObject({ error: { code: 'token-missing' } });
    expect(server.heard).toEqual([]);
  });
});
