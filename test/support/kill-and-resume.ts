import { join } from 'node:path';
import { expect } from 'vitest';
import { ModelReturned, ModelSent } from '../../pipeline/ledger/model-events.ts';
import { openLedger } from '../../pipeline/ledger/open.ts';
import { randomFrom } from '../../stages/weave/random.ts';
import { boxesLeft, countedStory, type Kill, type Life, live, sumsOf } from './killed-runs.ts';

/** Two test runs may be under way when a process is killed. */
const UNDER_WAY = 2;

/** Moments by the ledger reach every part of a run; moments by the clock also reach what lies between its lines. */
function momentsFrom(random: () => number): () => Kill {
  return () =>
    random() < 0.7 ? { events: 1 + Math.floor(random() * 9) } : { ms: Math.floor(random() * 1800) };
}

function expectNothingTwice(lives: readonly Life[]): void {
  for (const { executed, stored, ended } of lives) {
    const slack = ended.signal === 'SIGKILL' ? UNDER_WAY : 0;
    expect(executed - stored).toBeLessThanOrEqual(slack);
  }
  const last = lives.at(-1);
  expect(last?.executed).toBe(last?.stored);
}

/** No request was sent again once its answer stood in the ledger. Returns how many were sent and answered. */
function expectNoAnswerTwice(out: string): { sent: number; returned: number } {
  const ledger = openLedger({ folder: join(out, 'main'), mode: 'read', clock: { now: () => 0 } });
  const sent = ledger.events('model-sent');
  const returned = ledger.events('model-returned');
  ledger.close();
  for (const answer of returned) {
    const { request } = ModelReturned.parse(answer.body);
    const calls = sent.filter(({ body }) => ModelSent.parse(body).request === request);
    expect(calls.every(({ seq }) => seq < answer.seq)).toBe(true);
  }
  return { sent: sent.length, returned: returned.length };
}

/** One run that is killed up to `times` times and goes on; returns its lives. */
async function livesOf(
  story: Awaited<ReturnType<typeof countedStory>>,
  out: string,
  times: number,
  moment: () => Kill,
): Promise<Life[]> {
  const lives: Life[] = [];
  while (lives.length < times) {
    const life = await live(story, out, moment());
    lives.push(life);
    if (life.ended.signal !== 'SIGKILL') return lives;
  }
  return [...lives, await live(story, out, null)];
}

/**
 * Kill runs at `points` random moments, `perRun` in each, and go on with the same command each time. Every run must end
 * with the release of one that nobody killed, and nothing that was stored may have been paid for or run again.
 */
export async function killAndResume(seed: number, points: number, perRun: number) {
  const story = await countedStory();
  const reference = join(story.folder, 'reference');
  const whole = await live(story, reference, null);
  expect(whole.ended.code, whole.ended.stderr).toBe(0);
  expectNothingTwice([whole]);
  expectNoAnswerTwice(reference);
  const moment = momentsFrom(randomFrom(seed));
  let killed = 0;
  for (let run = 1; killed < points; run += 1) {
    const out = join(story.folder, `killed-${run}`);
    const before = story.seen.length;
    const lives = await livesOf(story, out, Math.min(perRun, points - killed), moment);
    killed += lives.filter(({ ended }) => ended.signal === 'SIGKILL').length;
    const told = JSON.stringify(lives.map(({ kill }) => kill));
    expect(lives.at(-1)?.ended.code, `${told}\n${lives.at(-1)?.ended.stderr}`).toBe(0);
    expect(sumsOf(out), told).toBe(sumsOf(reference));
    expectNothingTwice(lives);
    const { sent, returned } = expectNoAnswerTwice(out);
    const calls = story.seen.length - before;
    expect(calls).toBeGreaterThanOrEqual(returned);
    expect(calls).toBeLessThanOrEqual(sent);
    expect(boxesLeft(story), told).toEqual([]);
  }
  return { killed, story, reference };
}
