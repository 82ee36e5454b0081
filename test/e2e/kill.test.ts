/** @module-tag slow */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectSameEnd, livesOf, momentsOf, wholeRun } from '../support/kill-and-resume.ts';
import { countedStory, type Life, sumsOf } from '../support/killed-runs.ts';
import { cli, startCli, summaryIn } from '../support/spawned-cli.ts';

/** One number fixes all moments; a failure prints the ones of its run. */
const SEED = 20_261_130;
const POINTS = 32;
const PER_RUN = 8;

const title = 'kill -9 at any moment, and the same command ends with the same release bytes';

const killedIn = (lives: readonly Life[]): number =>
  lives.filter(({ ended }) => ended.signal === 'SIGKILL').length;

test(`${title} (three moments, then Ctrl-C)`, { timeout: 300_000 }, async () => {
  const story = await countedStory();
  const whole = await wholeRun(story);
  const kills = [...momentsOf(SEED, 3), { events: 6, signal: 'SIGINT' as const }];
  const lives = await expectSameEnd(story, whole, 'stopped', kills);
  expect(killedIn(lives)).toBe(3);
  const asked = lives[3]?.ended;
  expect(asked?.code).toBe(130);
  expect(asked?.stderr).toContain('The same command goes on from here');
});

describe('with many moments', { tags: ['kill'] }, () => {
  test(title, async () => {
    const story = await countedStory();
    const whole = await wholeRun(story);
    let killed = 0;
    for (let run = 1; killed < POINTS; run += 1) {
      const kills = momentsOf(SEED + run, Math.min(PER_RUN, POINTS - killed));
      killed += killedIn(await expectSameEnd(story, whole, `killed-${run}`, kills));
    }
    expect(killed).toBe(POINTS);
    for (const more of [[], ['--build']]) {
      const args = ['replay', '--out', join(story.folder, 'killed-1'), '--json', ...more];
      const { code, stderr, stdout } = await cli(args, { cwd: story.folder });
      expect(code, stderr).toBe(0);
      expect(summaryIn(stdout)).toMatchObject({ agrees: true });
    }
  });

  test('a neighbour that lives through the kills of a run loses nothing', async () => {
    const story = await countedStory();
    const whole = await wholeRun(story);
    const out = join(story.folder, 'shared');
    const args = ['run', `pack:${join(story.folder, 'till')}`, '--out', out, '--run', 'neighbour'];
    const { ended } = startCli(args, { cwd: story.folder, env: { TMPDIR: story.boxes } });
    const lives = await livesOf(story, out, momentsOf(SEED, 6));
    expect(killedIn(lives)).toBeGreaterThan(0);
    expect(sumsOf(out)).toBe(sumsOf(whole));
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('fault');
    expect(existsSync(join(out, 'neighbour', 'release', 'SHA256SUMS'))).toBe(true);
  });
});
