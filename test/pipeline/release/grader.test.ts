/** @module-tag slow */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { HarborReward } from '../../../schemas/harbor-task.ts';
import { exportedGrader, put } from '../../support/exported-grader.ts';
import { storyFiles } from '../../support/story.ts';

const { root, grade, lines, spoiled, remove } = await exportedGrader();
afterAll(remove);

const source = (text: string) => ({ ...storyFiles.gold, 'src/limit.mjs': text });
const gold = storyFiles.gold['src/limit.mjs'] ?? '';

describe.concurrent('the exported grader', { timeout: 60_000 }, () => {
  test('gold is worth 1 in every group', async () => {
    const { status, reward, text, details } = await grade(storyFiles.gold);
    expect(details).toMatchObject({ outcome: 'valid-success', reason: null });
    expect(HarborReward.parse(reward)).toEqual({
      reward: 1,
      conforms: 1,
      graded: 1,
      r1: 1,
      r2: 1,
      r1_r2: 1,
      p2p: 1,
      partial: 1,
    });
    expect([status, text]).toEqual([0, 1]);
  });

  test.each([
    ['the untouched base', storyFiles.base, { r1: 0, r2: 0, r1_r2: 0, p2p: 1, partial: 0 }],
    ['requirement 1 alone', storyFiles.r1, { r1: 1, r2: 0, r1_r2: 0, p2p: 1, partial: 1 / 3 }],
    ['requirement 2 alone', storyFiles.r2, { r1: 0, r2: 1, r1_r2: 0, p2p: 1, partial: 1 / 3 }],
    [
      'a broken module',
      source('export const allow = ;\n'),
      { r1: 0, r2: 0, r1_r2: 0, p2p: 0, partial: 0 },
    ],
  ])('%s keeps the contract and is worth 0', async (_, files, groups) => {
    const { status, reward, details } = await grade(files);
    expect(reward).toEqual({ reward: 0, conforms: 1, graded: 1, ...groups });
    expect(details.outcome).toBe('safe-failure');
    expect(status).toBe(1);
  });

  test.each([
    ['a changed protected file', { 'README.md': '# limiter \n' }, 'bytes.protected "README.md"'],
    ['a new conftest', { 'conftest.py': 'x = 1\n' }, 'path.added "conftest.py"'],
    [
      'a new runner config',
      { 'src/vitest.config.mjs': 'export default {};\n' },
      'create.protected',
    ],
    ['one file too many', { 'src/a.mjs': 'x;\n', 'src/b.mjs': 'x;\n' }, 'create.cap "src/b.mjs"'],
    [
      'a forbidden construct',
      { 'src/limit.mjs': `${gold}process.exit(0);\n` },
      'forbidden:ts/exit',
    ],
    ['text that turns around', { 'src/limit.mjs': `${gold}// \u202e\n` }, 'text.bidi'],
  ])('%s is a violation, and no test runs', async (_, files, reason) => {
    const { reward, details } = await grade({ ...storyFiles.gold, ...files });
    expect(details.reason).toContain(reason);
    expect(details.outcome).toBe('rejected-violation');
    expect(reward).toEqual({
      reward: 0,
      conforms: 0,
      graded: 1,
      r1: 0,
      r2: 0,
      r1_r2: 0,
      p2p: 0,
      partial: 0,
    });
  });

  test('a new file within the contract is graded with the rest', async () => {
    const max = 'export const MAX = 3;\n';
    const files = source(`import { MAX } from './max.mjs';\n${gold.replace(/const MAX.*\n/, '')}`);
    expect((await grade({ ...files, 'src/max.mjs': max })).reward).toMatchObject({ reward: 1 });
  });

  test('a patch that did not apply is an invalid candidate', async () => {
    const { reward, details } = await grade(storyFiles.gold, { extra: ['--invalid'] });
    expect(details.outcome).toBe('invalid-candidate');
    expect(reward).toMatchObject({ reward: 0, conforms: 0, graded: 1 });
  });

  test('a link that leaves the tree makes no candidate', async () => {
    const folder = put(join(root, 'linked'), storyFiles.gold);
    symlinkSync('/etc/passwd', join(folder, 'src/x.mjs'));
    expect((await lines(folder)).filter((line) => !line.startsWith('[FAILED]'))).toEqual([]);
  });

  test('lines name each expected test once and the contract last', async () => {
    expect(await lines(put(join(root, 'lines'), storyFiles.r1))).toEqual([
      '[PASSED] test/rules.test.mjs > limit > refuses the fourth call',
      '[FAILED] test/rules.test.mjs > limit > never counts below zero',
      '[FAILED] test/rules.test.mjs > limit > each allowed call uses one',
      '[PASSED] test/limit.test.mjs > allows the third call',
      '[PASSED] test/limit.test.mjs > counts from three',
      '[PASSED] contract > conforms',
    ]);
  });

  test.each([
    ['a damaged base', () => ({ base: 'damaged.tar' })],
    [
      'a damaged hidden test',
      () => ({ tests: spoiled('damaged', { 'hidden/test/rules.test.mjs': '' }) }),
    ],
  ])('%s is a fault: exit 3 and no reward file', async (_, place) => {
    put(root, { 'damaged.tar': 'no archive' });
    const { status, reward, text, stdout } = await grade(storyFiles.gold, place());
    expect([status, reward, text]).toEqual([3, null, null]);
    expect(stdout).toContain('>>>>> Tests Errored');
  });
});
