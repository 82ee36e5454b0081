import { describe, expect, test } from 'vitest';
import { conditions } from '../../../stages/controller/conditions.ts';
import { body, edit, rolloutOn } from '../../support/controller-bench.ts';

const right = '    return 1;\n';
const isRight = (source: string) => source.includes('return 1;');
const wrong = edit('    return 2;\n');
const violating = JSON.stringify({
  edits: [
    { file: 'src/lru.ts', find: '    return 0;\n', replace: right },
    { file: 'src/clock.ts', find: '=> 1', replace: '=> 2' },
  ],
  create: [],
  delete: [],
});

describe('what each condition asks', () => {
  const said = async (condition: string, answers: string[]) =>
    (await rolloutOn({ condition, answers })).requests.map(
      ({ messages }) => messages[0]?.content ?? '',
    );

  test('the table is the published one, with two of ours', () => {
    expect(
      conditions.map((one) => [
        one.name,
        one.interface,
        one.attempts,
        one.diagnosticFirst,
        one.order,
      ]),
    ).toEqual([
      ['C0', 'edits', 1, false, 'measure'],
      ['C1', 'edits', 4, true, 'measure'],
      ['C2', 'body', 4, true, 'contract-first'],
      ['C3', 'edits', 1, true, 'measure'],
      ['C4', 'edits', 4, false, 'measure'],
      ['S0', 'shell', 1, false, 'contract-first'],
      ['S1', 'shell', 4, false, 'contract-first'],
    ]);
  });

  test.each([
    ['C0', [wrong], [false]],
    ['C1', [wrong, wrong, wrong, wrong], [true, false, false, false]],
    ['C3', [wrong], [true]],
    ['C4', [wrong, wrong, wrong, wrong], [false, false, false, false]],
  ])(
    '%s shows the baseline where it says so, and later the last answer with what the build said',
    async (name, answers, shown) => {
      const texts = await said(name, answers);
      expect(texts.map((text) => text.includes('what the baseline said'))).toEqual(shown);
      for (const text of texts.slice(1)) {
        expect(text).toContain('the log of the build');
        expect(text).toContain('return 2;');
      }
    },
  );

  test('later attempts edit the base and never the last candidate', async () => {
    const ended = await rolloutOn({
      condition: 'C1',
      answers: [wrong, edit(right)],
      builds: isRight,
    });
    expect(ended.outcome).toBe('valid-success');
    expect(ended.requests[1]?.messages[0]?.content).toContain('    return 0;\n');
  });

  test('C2 is told why it was refused, by codes and places', async () => {
    const texts = await said('C2', [
      body('    // END EDITABLE get\n'),
      body(right),
      body(right),
      body(right),
    ]);
    expect(texts[1]).toContain('region.marker-in-body');
    expect(texts[1]).not.toContain('the log of the build');
  });

  test('under measure the report of the contract is never shown', async () => {
    const texts = await said('C4', [violating, wrong, wrong, wrong]);
    expect(texts.slice(1).join('')).not.toContain('bytes.protected');
  });

  test('a body cannot express anything but the region', async () => {
    const ended = await rolloutOn({
      condition: 'C2',
      answers: [violating, violating, violating, violating],
    });
    expect([ended.outcome, ended.attempts.every(({ class: kind }) => kind === 'invalid')]).toEqual([
      'invalid-candidate',
      true,
    ]);
  });
});
