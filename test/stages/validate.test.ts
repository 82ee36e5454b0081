import { describe, expect, test } from 'vitest';
import { withSlots } from '../../pipeline/with-slots.ts';
import { canonicalJson } from '../../stages/contract/canonical-json.ts';
import { validate } from '../../stages/validate.ts';
import type { Play } from '../support/context.ts';
import {
  holds,
  ids,
  limit,
  limiter,
  playing,
  playLimiter,
  says,
  soloPair,
} from '../support/limiter.ts';
import { instanceOf, refusalOf } from '../support/validated.ts';
import { factsOf, onBench } from '../support/woven.ts';

describe('a task that holds', () => {
  test('carries matrix, groups, level with its tests, and five controls in their class', async () => {
    const instance = await instanceOf(await onBench(limiter, playLimiter));
    expect(
      instance.matrix.map(({ name, cells }) => [name, ...cells.map((c) => c.verdict)]),
    ).toEqual([
      ['B', 'fail', 'fail', 'fail', 'pass'],
      ['G|{R1}', 'pass', 'fail', 'fail', 'pass'],
      ['G|{R2}', 'fail', 'pass', 'fail', 'pass'],
      ['G', 'pass', 'pass', 'pass', 'pass'],
    ]);
    expect(instance.groups.map(({ name, kind, ids: own }) => [name, kind, own])).toEqual([
      ['T_1', 'requirement', [ids.one]],
      ['T_2', 'requirement', [ids.two]],
      ['T_1_2', 'edge', [ids.both]],
      ['P', 'regression', [ids.old]],
    ]);
    expect(instance.couplings).toMatchObject([
      { from: 'R1', to: 'R2', level: 3, evidence: ['ablation'], tests: [ids.both] },
    ]);
    expect(instance.controls.every(({ expected, outcome }) => expected === outcome)).toBe(true);
  });

  test('is interacting when sound solos merge and fail the joint test', async () => {
    const cloth = { ...limiter, solos: soloPair };
    const instance = await instanceOf(
      await onBench(cloth, playLimiter, { settings: { level: 4 } }),
    );
    expect(instance.couplings).toMatchObject([
      { level: 4, evidence: ['ablation', 'solo-merge'], tests: [ids.both] },
    ]);
    expect(instance.soloMerges).toMatchObject([{ failing: [ids.both] }]);
  });

  test.each([
    ['fails its own group', [{ requirement: 'R1', files: limit(9, 0, 0) }, soloPair[1]]],
    ['has no partner', [soloPair[0]]],
    ['does not merge with the other', [soloPair[0], { requirement: 'R2', files: limit(7, 2, 0) }]],
  ])('stays at level 3 when a solo %s', async (_, solos) => {
    const cloth = { ...limiter, solos: solos.flatMap((solo) => solo ?? []) };
    const instance = await instanceOf(await onBench(cloth, playLimiter));
    expect(instance.couplings[0]?.level).toBe(3);
  });

  test('is not interacting when the merged solos cannot run the joint test', async () => {
    const blocked = playing((read) =>
      holds(read, 'one = 1') && holds(read, 'two = 2') && !holds(read, 'joint = 12')
        ? { [ids.both]: 'error' }
        : {},
    );
    const instance = await instanceOf(await onBench({ ...limiter, solos: soloPair }, blocked));
    expect(instance.couplings[0]?.level).toBe(3);
    expect(instance.soloMerges).toMatchObject([{ failing: [] }]);
  });
});

describe('mutation evidence', () => {
  /** The second part rewrites the first one's line, so that neither comes out alone. */
  const entangled = {
    ...limiter,
    parts: [
      {
        needs: ['R1'],
        files: { 'src/limit.ts': 'export const one = 1;\nexport const left = 10;\n' },
      },
      {
        needs: ['R2'],
        files: {
          'src/limit.ts':
            'export const one = 1;\nexport const two = 2;\nexport const left = 10;\nexport const top = 20;\n',
        },
      },
    ],
  };
  const play: Play = (read) => {
    const text = read('src/limit.ts');
    return {
      tests: {
        [ids.one]: says(text.includes('one = 1')),
        [ids.two]: says(text.includes('two = 2')),
        [ids.both]: says(text.includes('left = 10') && text.includes('top = 20')),
        'test/hidden.test.ts > third': says(text.includes('one = 1')),
        [ids.old]: 'passed',
      },
    };
  };

  test('joins two parts through mutants of the lines that each brought', async () => {
    const settings = { mutantsPerPart: 4 };
    const instance = await instanceOf(await onBench(entangled, play, { settings }));
    expect(instance.couplings).toMatchObject([{ level: 3, tests: [ids.both] }]);
    expect(instance.couplings[0]?.evidence).toContain('mutation');
    const killers = instance.mutants.filter(({ killed }) => killed.includes(ids.both));
    expect(new Set(killers.map(({ part }) => part))).toEqual(new Set(['g1', 'g2']));
  });

  test('a mutant gets twenty seconds, or five times as long as gold where that is more', async () => {
    const limits: (number | undefined)[] = [];
    for (const durationMs of [10, 6000]) {
      const slow: Play = (read, request) => ({ ...play(read, request), durationMs });
      const woven = await onBench(entangled, slow, { settings: { mutantsPerPart: 1 } });
      const { run } = woven.context.runs;
      Object.assign(woven.context.runs, {
        run: (...call: Parameters<typeof run>) => {
          limits.push(call[2]?.timeoutMs);
          return run(...call);
        },
      });
      await refusalOf(woven);
    }
    expect([...new Set(limits)]).toEqual([undefined, 20_000, 30_000]);
  });

  test('a mutant that stops more than half of the passing tests counts for nothing', async () => {
    const coarse: Play = (read, request) => {
      const played = play(read, request);
      if (!read('src/limit.ts').includes('left = 11')) return played;
      const all = Object.keys(played.tests).map((id) => [id, 'failed'] as const);
      return { tests: Object.fromEntries(all) };
    };
    const settings = { mutantsPerPart: 4 };
    expect(await refusalOf(await onBench(entangled, coarse, { settings }))).toMatchObject({
      code: 'not-coupled',
      detail: 'levels R1-R2:1, expected one at 3 and a connected graph',
    });
  });
});

describe('three requirements', () => {
  const text = (values: readonly number[]) => ({
    'src/limit.ts': values
      .map((value, at) => `const v${at + 1} = ${value};\n\n//\n//\n`)
      .join('\n'),
  });
  const cloth = {
    ...limiter,
    base: { ...limiter.base, ...text([0, 0, 0]) },
    parts: [
      { needs: ['R1'], files: text([1, 0, 0]) },
      { needs: ['R2'], files: text([1, 1, 0]) },
      { needs: ['R3'], files: text([1, 1, 1]) },
    ],
    couplings: [],
  };
  const needing =
    (needs: Readonly<Record<string, readonly number[]>>): Play =>
    (read) => {
      const has = (at: number) => read('src/limit.ts').includes(`v${at} = 1;`);
      const tests = Object.entries(needs).map(
        ([name, list]) => [`test/hidden.test.ts > ${name}`, says(list.every(has))] as const,
      );
      return { tests: { ...Object.fromEntries(tests), [ids.old]: 'passed' } };
    };
  const own = { a: [1], b: [2], c: [3] };

  test('have eight rows, and a chain of edges joins them', async () => {
    const instance = await instanceOf(
      await onBench(cloth, needing({ ...own, ab: [1, 2], bc: [2, 3] })),
    );
    expect(instance.matrix.map(({ name }) => name)).toEqual([
      'B',
      'G|{R1}',
      'G|{R2}',
      'G|{R3}',
      'G|{R1,R2}',
      'G|{R1,R3}',
      'G|{R2,R3}',
      'G',
    ]);
    expect(instance.couplings.map(({ from, to, level }) => `${from}-${to}:${level}`)).toEqual([
      'R1-R2:3',
      'R2-R3:3',
    ]);
  });

  test('of which one stands apart are not coupled, whatever the others are', async () => {
    expect(await refusalOf(await onBench(cloth, needing({ ...own, ab: [1, 2] })))).toMatchObject({
      code: 'not-coupled',
      detail: 'levels R1-R2:3, expected one at 3 and a connected graph',
    });
  });

  test('that only touch the same lines are textual, with the conflict in the matrix', async () => {
    const lines = (...values: readonly number[]) => ({
      'src/limit.ts': values.map((value, at) => `const v${at + 1} = ${value};\n`).join(''),
    });
    const near = {
      ...cloth,
      base: { ...limiter.base, ...lines(0, 0) },
      parts: [
        { needs: ['R1'], files: lines(1, 0) },
        { needs: ['R2'], files: lines(1, 1) },
      ],
    };
    const refusal = await refusalOf(await onBench(near, needing({ a: [1], b: [2] })));
    expect(refusal?.detail).toContain('levels R1-R2:1');
    expect(refusal?.evidence).toContain('G|{R2} T_1=conflict T_2=conflict P=conflict');
  });
});

test('C25: results are equal at one box and at eight, whatever order the runs come back in', async () => {
  const ends = [];
  for (const slots of [1, 8]) {
    const cloth = { ...limiter, solos: soloPair };
    const woven = await onBench(cloth, playLimiter, { settings: { mutantsPerPart: 5 } });
    let turn = 0;
    const late: typeof woven.context.runs = {
      ...woven.context.runs,
      async run(request, signal) {
        for (let wait = (turn++ * 7) % 5; wait > 0; wait--) await new Promise(setImmediate);
        return woven.context.runs.run(request, signal);
      },
    };
    const context = { ...woven.context, runs: withSlots(late, slots) };
    ends.push(canonicalJson(await validate.run(factsOf(woven), context)));
  }
  expect(ends[0]).toBe(ends[1]);
});
