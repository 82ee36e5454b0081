import { join } from 'node:path';
import { expect } from 'vitest';
import { ModelReturned, ModelSent } from '../../pipeline/ledger/model-events.ts';
import { openLedger } from '../../pipeline/ledger/open.ts';
import { randomFrom } from '../../stages/weave/random.ts';
import { boxesLeft, type Kill, type Life, live, type Story, sumsOf } from './killed-runs.ts';

/** Two test runs may be under way when a process is killed. */
const UNDER_WAY = 2;
/** Each process holds the control of each of the story's two revisions anew, and has nothing new to note of it. */
const CONTROLS = 2;

/** Moments by the ledger reach every part of a run; moments by the clock also reach what lies between its lines. */
function momentsFrom(random: () => number): () => Kill {
  return () =>
    random() < 0.7 ? { events: 1 + Math.floor(random() * 9) } : { ms: Math.floor(random() * 1800) };
}

/** `count` moments that a seed decides. */
export function momentsOf(seed: number, count: number): Kill[] {
  const moment = momentsFrom(randomFrom(seed));
  return Array.from({ length: count }, moment);
}

function expectNothingTwice(lives: readonly Life[]): void {
  for (const { executed, stored, ended } of lives) {
    const slack = ended.code === 0 ? 0 : UNDER_WAY;
    expect(executed - stored).toBeLessThanOrEqual(slack + CONTROLS);
    expect(executed).toBeGreaterThanOrEqual(stored);
  }
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

/** One run that is stopped at each of these moments and goes on with the same command; returns its lives. */
export async function livesOf(story: Story, out: string, kills: readonly Kill[]): Promise<Life[]> {
  const lives: Life[] = [];
  for (const kill of kills) {
    const life = await live(story, out, kill);
    lives.push(life);
    if (life.ended.code === 0) return lives;
  }
  return [...lives, await live(story, out, null)];
}

/** The release of a run that nobody stopped. */
export async function wholeRun(story: Story): Promise<string> {
  const out = join(story.folder, 'whole');
  const life = await live(story, out, null);
  expect(life.ended.code, life.ended.stderr).toBe(0);
  expectNothingTwice([life]);
  expectNoAnswerTwice(out);
  return out;
}

/**
 * A run that is stopped at these moments ends with the release of `whole`, and nothing that was stored was paid for or
 * run again. Returns its lives.
 */
export async function expectSameEnd(
  story: Story,
  whole: string,
  name: string,
  kills: readonly Kill[],
): Promise<readonly Life[]> {
  const out = join(story.folder, name);
  const before = story.seen.length;
  const lives = await livesOf(story, out, kills);
  const told = JSON.stringify(lives.map(({ kill }) => kill));
  expect(lives.at(-1)?.ended.code, `${told}\n${lives.at(-1)?.ended.stderr}`).toBe(0);
  expect(sumsOf(out), told).toBe(sumsOf(whole));
  expectNothingTwice(lives);
  const { sent, returned } = expectNoAnswerTwice(out);
  const calls = story.seen.length - before;
  expect(calls).toBeGreaterThanOrEqual(returned);
  expect(calls).toBeLessThanOrEqual(sent);
  expect(boxesLeft(story), told).toEqual([]);
  return lives;
}
