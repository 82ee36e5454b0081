import { expect, test } from 'vitest';
import { traceLines } from '../../pipeline/print-traces.ts';
import type { Play } from '../support/context.ts';
import { ids, limiter, playing, playLimiter } from '../support/limiter.ts';
import { instanceOf } from '../support/validated.ts';
import { onBench } from '../support/woven.ts';

const settings = { mutantsPerPart: 4 };

async function linesOf(play: Play, parts = settings): Promise<readonly string[]> {
  const woven = await onBench(limiter, play, { settings: parts });
  return traceLines(woven.task, await instanceOf(woven));
}

test('clauses lead to their tests, tests to their clauses, each with what shows it', async () => {
  expect(await linesOf(playLimiter)).toEqual([
    '',
    'clause -> tests',
    '  R1.a R1 must hold.',
    `    ${ids.both} (2 ablations, 1 mutant)`,
    `    ${ids.one} (2 ablations, 0 mutants)`,
    '  R2.a R2 must hold.',
    `    ${ids.both} (2 ablations, 1 mutant)`,
    `    ${ids.two} (2 ablations, 0 mutants)`,
    '',
    'test -> clauses',
    `  ${ids.both}`,
    '    checks R1.a, R2.a; depends on R1, R2',
    '    ablation: G passes, G|{R2} fails',
    '    ablation: G passes, G|{R1} fails',
    '    killed by m3 off-by-one src/limit.ts:11',
    `  ${ids.one}`,
    '    checks R1.a; depends on R1',
    '    ablation: G|{R1} passes, B fails',
    '    ablation: G passes, G|{R2} fails',
    `  ${ids.two}`,
    '    checks R2.a; depends on R2',
    '    ablation: G|{R2} passes, B fails',
    '    ablation: G passes, G|{R1} fails',
    '',
    'mutants',
    '  g1: 1 too-coarse',
    '  g2: 1 too-coarse',
    '  g3: 1 killed',
    '  of 3 possible mutants each may stand on a line that no test runs: this runner cannot be asked, so whole test files ran',
  ]);
});

test('a mutant that no test notices is named with its place', async () => {
  const blind = playing((read) => ({
    [ids.one]: read('src/limit.ts').includes('one = 0') ? 'failed' : 'passed',
    [ids.both]:
      read('src/limit.ts').includes('one = 0') || read('src/limit.ts').includes('two = 0')
        ? 'failed'
        : 'passed',
  }));
  const lines = await linesOf(blind);
  expect(lines).toContain('  g1: 1 survived; no test notices m1 off-by-one src/limit.ts:1');
});

test('places that no test runs are counted', async () => {
  const probed: Play = (read, request) => ({
    ...playLimiter(read, request),
    ...(request.probed && { ran: [{ tests: [], ids: [0, 1] }] }),
  });
  expect((await linesOf(probed)).at(-1)).toBe(
    "  of 3 possible mutants 1 were left out: no target test's file runs their place",
  );
});

test('without mutants there is nothing to say of them', async () => {
  expect(await linesOf(playLimiter, { mutantsPerPart: 0 })).not.toContain('mutants');
});
