import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openMeter } from '../../pipeline/models/with-budget.ts';
import { steadyClock } from '../../pipeline/steady-clock.ts';
import { wholeRun } from '../support/kill-and-resume.ts';
import { countedStory, sumsOf } from '../support/killed-runs.ts';
import { cli } from '../support/spawned-cli.ts';

const HOUR_MS = 3_600_000;

test('a clock that is set forward or back under a run moves no time of ours', () => {
  const before = steadyClock.now();
  expect(Math.abs(before - Date.now())).toBeLessThan(HOUR_MS);
  for (const jump of [HOUR_MS, -HOUR_MS, 400 * 24 * HOUR_MS]) {
    const set = vi.spyOn(Date, 'now').mockReturnValue(before + jump);
    const now = steadyClock.now();
    set.mockRestore();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now - before).toBeLessThan(60_000);
  }
});

test('a clock that is set forward by a day ends no budget of two hours', () => {
  const caps = { usd: null, calls: null, wall_s: 7200 };
  const spent = { usd: 0, calls: 0 };
  const meter = openMeter({ caps, clock: steadyClock, spent, guess: () => 0 });
  vi.spyOn(Date, 'now').mockReturnValue(steadyClock.now() + 24 * HOUR_MS);
  expect(() => meter.admit(1, null)).not.toThrow();
});

/** Loaded before the program: every look at the time of day lands days before or after the last. */
const JUMPING = `
const day = 86_400_000;
const steady = Date.now();
let looks = 0;
Date.now = () => steady + (looks++ % 2 === 0 ? 1 : -1) * looks * day;
`;

describe('a whole run', { tags: ['slow'] }, () => {
  test('under a clock that jumps by days ends with the same release', {
    timeout: 300_000,
  }, async () => {
    const story = await countedStory();
    const whole = await wholeRun(story);
    const jumping = join(story.folder, 'jumping.mjs');
    writeFileSync(jumping, JUMPING);
    const out = join(story.folder, 'jumped');
    const args = ['run', `pack:${join(story.folder, 'till')}`, '--out', out];
    const env = { TMPDIR: story.boxes, NODE_OPTIONS: `--import ${jumping}` };
    const { code, stderr } = await cli(args, { cwd: story.folder, env });
    expect(code, stderr).toBe(0);
    expect(sumsOf(out)).toBe(sumsOf(whole));
  });
});
