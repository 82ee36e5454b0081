import { describe, expect, test } from 'vitest';
import { describeDrafting } from '../../pipeline/describe-drafting.ts';
import { RunConfig } from '../../schemas/run-config.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What a dry run says, on a run that has not begun. */
async function described(change: object) {
  const said: string[] = [];
  const summaries: object[] = [];
  const io = {
    say: (line: string) => void said.push(line),
    summarize: (summary: object) => void summaries.push(summary),
    clock: { now: () => 0, sleep: () => Promise.resolve() },
  };
  const code = await describeDrafting(
    RunConfig.parse(change),
    { out: tempFolder(), positionals: ['git:x'] },
    io,
  );
  return { code, said: said.join('\n'), summary: summaries[0] };
}

const models = [
  {
    name: 'pen',
    provider: 'openai',
    model: 'm',
    base_url: 'http://127.0.0.1:9/v1',
    price: { input: 1, output: 2 },
  },
];
const roles = { drafter: 'pen' };

describe('a dry run of drafting', () => {
  test('bounds the calls of a drafter, their tokens and their money, and names the endpoint', async () => {
    const { code, said, summary } = await described({
      models,
      roles,
      synthesize: { mode: 'forward', batch: 3, k: [2, 3] },
    });
    expect(code).toBe(0);
    expect(summary).toMatchObject({
      records_at_most: 3,
      calls: { drafter_at_most: 30, drafter_solos_at_most: 36, solo_at_most: 0 },
      drafter: { name: 'pen', endpoint: 'http://127.0.0.1:9/v1', price_known: true },
    });
    expect(said).toContain('at http://127.0.0.1:9/v1');
  });

  test('never puts the money above the budget', async () => {
    const { summary } = await described({
      models,
      roles,
      budget: { usd: 0.5 },
      synthesize: { mode: 'forward', batch: 30 },
    });
    expect(summary).toMatchObject({ drafter: { usd_at_most: 0.5 } });
  });

  test.each([
    ['history', { models, roles, synthesize: { mode: 'history', batch: 4 } }],
    ['all, without a drafter', { synthesize: { mode: 'all', batch: 4 } }],
  ])('names nobody in mode %s', async (_, config) => {
    const { summary } = await described(config);
    expect(summary).toMatchObject({
      records_at_most: 4,
      calls: { drafter_at_most: 0 },
      drafter: null,
    });
  });
});
