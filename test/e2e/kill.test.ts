import { describe, expect, test } from 'vitest';
import { killAndResume } from '../support/kill-and-resume.ts';

/** One number fixes all moments; a failure prints the ones of its run. */
const SEED = 20_261_130;
const POINTS = 32;

const title = 'kill -9 at any moment, and the same command ends with the same release bytes';

test(`${title} (three moments)`, { timeout: 300_000 }, async () => {
  const { killed } = await killAndResume(SEED, 3, 3);
  expect(killed).toBe(3);
});

describe('with many moments', { tags: ['kill'] }, () => {
  test(title, async () => {
    const { killed } = await killAndResume(SEED + 1, POINTS, 11);
    expect(killed).toBe(POINTS);
  });
});
