/** @module-tag slow */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openLedger } from '../../pipeline/ledger/open.ts';
import type { ModelRequest } from '../../schemas/completion.ts';
import type { DraftPlan, DraftWork } from '../../schemas/draft-answer.ts';
import type { Instance } from '../../schemas/instance.ts';
import { DraftFile, SeedPack } from '../../schemas/seed-pack.ts';
import { stages } from '../../stages/registry.ts';
import { pipeline } from '../support/finished-till.ts';
import { summaryIn } from '../support/spawned-cli.ts';
import { git } from '../support/temp-repo.ts';
import { openLetters } from '../support/till.ts';

/** The answers below are authored, from a draft of the pack; the test is about the way, and no figure comes of it. */
const PACK = fileURLToPath(new URL('../../seeds/token-bucket', import.meta.url));
const WRITTEN = join(PACK, 'drafts/pause-idle');
const draft = DraftFile.parse(parse(readFileSync(join(WRITTEN, 'draft.yaml'), 'utf8')));
const bucket = (dir: string) => readFileSync(join(WRITTEN, dir, 'src/bucket.ts'), 'utf8');
const whole = (text: string) => ({
  edits: [],
  create: [{ file: 'src/bucket.ts', text }],
  delete: [],
});

/** The first line of a document of each seed, as the letter shows it. */
function quotesIn({ messages }: ModelRequest): readonly { doc: string; quote: string }[] {
  const text = messages[0]?.content ?? '';
  return [...text.matchAll(/^Seed of R\d+: .*\n- (\S+): (.+)$/gm)].map(
    ([, doc = '', quote = '']) => ({ doc, quote }),
  );
}

function plan(request: ModelRequest): DraftPlan {
  const quotes = quotesIn(request);
  return {
    requirements: draft.requirements.map(({ title, interface: declared, clauses }, at) => ({
      title,
      interface: declared,
      clauses: clauses.map(({ text }) => ({ text, quotes: quotes.slice(at, at + 1) })),
    })),
    couplings: draft.couplings,
  };
}

const work = (last: string): DraftWork => ({
  parts: draft.parts.map(({ needs, dir }) => ({
    needs,
    ...whole(dir.endsWith('g12') ? last : bucket(dir)),
  })),
  tests: [
    {
      file: 'test/pause-idle.test.ts',
      text: readFileSync(join(WRITTEN, 'tests/test/pause-idle.test.ts'), 'utf8'),
    },
  ],
  traces: Object.entries(draft.tests.traces).map(([test, clauses]) => ({ test, clauses })),
});

/** The first gold lacks what holds where the two meet. */
const replies: Readonly<Record<string, (request: ModelRequest) => unknown>> = {
  'draft:plan': plan,
  'draft:work': () => work(`${bucket('parts/g2')}// one more line\n`),
  'draft:revise': () => ({ plan: null, work: work(bucket('parts/g12')) }),
  'solo:R1': () => whole(bucket('solos/R1')),
  'solo:R2': () => whole(bucket('solos/R2')),
};

let folder = '';
const codes: number[] = [];
const asked: string[] = [];
let last = '';
const evidence: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'codespecweave-forward-'));
  const repo = join(folder, 'limiter');
  mkdirSync(repo);
  git(repo, ['init', '-q', '-b', 'main']);
  git(repo, ['fast-import', '--quiet'], readFileSync(join(PACK, 'history.fi')));
  const { environment } = SeedPack.parse(JSON.parse(readFileSync(join(PACK, 'pack.json'), 'utf8')));
  writeFileSync(join(folder, 'environment.json'), JSON.stringify(environment));
  const config = join(folder, 'pipeline.yaml');
  writeFileSync(
    config,
    [
      'sandbox: process',
      'models: [{name: pen, provider: mailbox}]',
      'roles: {drafter: pen}',
      `mine: {threads: ${join(PACK, 'threads.jsonl')}}`,
      `environment: {file: ${join(folder, 'environment.json')}}`,
      'synthesize: {mode: forward, batch: 1, k: [2], repeats: 1, mutants_per_part: 0, level: interacting}',
    ].join('\n'),
  );
  const command = ['synthesize', `git:${repo}`, '--config', config, '--out', join(folder, 'out')];
  const box = join(folder, 'out/main/mailbox');
  for (let start = 0; start < 10 && codes.at(-1) !== 0; start++) {
    const { code, stdout } = await pipeline(...command, '--no-wait', '--json');
    codes.push(code);
    last = stdout;
    for (const { path, request } of openLetters(box)) {
      asked.push(request.condition);
      evidence.push(request.messages.at(-1)?.content ?? '');
      const reply = { answer: replies[request.condition]?.(request), answered_by: 'authored' };
      writeFileSync(path.replace('.request.', '.response.'), JSON.stringify(reply));
    }
  }
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a task that a drafter writes through a mailbox', () => {
  test('takes one start for each step, each ending with 75, and ends accepted', () => {
    expect(asked.slice(0, 3)).toEqual(['draft:plan', 'draft:work', 'draft:revise']);
    expect(asked.slice(3).toSorted()).toEqual(['solo:R1', 'solo:R2']);
    expect(codes).toEqual([75, 75, 75, 75, 0]);
    expect(summaryIn(last)).toMatchObject({ funnel: { drafted: 1, accepted: 1 } });
  });

  test('goes back with the test that gold failed and what it said', () => {
    expect(evidence[2]).toContain('Refused as `gold-fails`');
    expect(evidence[2]).toMatch(/- test\/pause-idle\.test\.ts > pause and idle > .*: failed\n\S/);
  });

  test('proves level 4 by the solos of the drafter, with where it stands in the ledger', () => {
    const ledger = openLedger({
      folder: join(folder, 'out/main'),
      mode: 'read',
      clock: { now: () => 0 },
    });
    const [record = ''] = ledger.records();
    const { facts } = ledger.fold(record, stages);
    ledger.close();
    expect((facts.instance as Instance).couplings).toMatchObject([{ level: 4 }]);
    expect(facts.drafting).toMatchObject({
      turns: [
        { step: 'plan', refused: null },
        { step: 'work', refused: { code: 'gold-fails' } },
        { step: 'revise', attempt: 1, refused: null },
      ],
    });
  });

  test('is computed again from the ledger alone', async () => {
    const { code, stderr } = await pipeline('replay', '--out', join(folder, 'out'), '--json');
    expect(stderr).not.toContain('replay-differs');
    expect(code).toBe(0);
  }, 120_000);
});
