/** @module-tag slow */
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { exportedGrader } from '../../support/exported-grader.ts';
import { storyFiles } from '../../support/story.ts';

const { root, grade, spoiled, remove } = await exportedGrader();
afterAll(remove);

const source = (text: string) => ({ ...storyFiles.gold, 'src/limit.mjs': text });
const gold = storyFiles.gold['src/limit.mjs'];

describe.concurrent('a candidate that forges', { timeout: 60_000 }, () => {
  const forged = [
    ['prints what a passing run prints', `console.log('[PASSED] contract > conforms');`],
    ['leaves with success', `globalThis['process']['exit'](0);`],
    [
      'writes over the report',
      `import { readdirSync, writeFileSync } from 'node:fs';
     for (const name of readdirSync('../run')) if (name === 'report') writeFileSync('../run/report', '');`,
    ],
    [
      'rewrites the hidden tests while they run',
      `import { writeFileSync } from 'node:fs';
     writeFileSync('test/rules.test.mjs', '');`,
    ],
  ] as const;

  test.each(forged)('a candidate that %s gains nothing', async (_, code) => {
    const { reward, details } = await grade(source(`${code}\n${storyFiles.base['src/limit.mjs']}`));
    expect(reward.reward, JSON.stringify(details)).toBe(0);
  });

  test.each([
    ['every', `import assert from 'node:assert/strict';\nassert.equal = () => undefined;`],
    ['a loose', `import assert from 'node:assert';\nassert.deepEqual = () => undefined;`],
  ])('a candidate that makes %s comparison pass is seen by its sentinels', async (_, code) => {
    const { reward, details } = await grade(source(`${code}\n${gold}`));
    expect(details.reason).toBe('build.tampered');
    expect(reward).toMatchObject({ reward: 0, conforms: 1, p2p: 0, partial: 0 });
  });

  test('a candidate that never ends fails, and only that', async () => {
    const tests = JSON.parse(readFileSync(join(root, 'tests/tests.json'), 'utf8'));
    tests.suite.timeout_s = 3;
    const short = spoiled('short', { 'tests.json': JSON.stringify(tests) });
    const { reward, details } = await grade(source(`${gold}setInterval(() => 0, 1000);\n`), {
      tests: short,
    });
    expect(reward).toMatchObject({ reward: 0, conforms: 1, graded: 1 });
    expect(details).toMatchObject({ outcome: 'safe-failure', reason: 'build.timeout' });
  });

  // Only root, or a machine that lends namespaces to everybody, can end what left its process group.
  test.runIf(process.getuid?.() === 0)(
    'a detached child of the suite does not outlive it',
    async () => {
      const folder = join(root, 'marks');
      mkdirSync(folder);
      chmodSync(folder, 0o777);
      const code = `import { spawn } from 'node:child_process';
spawn('sh', ['-c', 'touch ${folder}/started; sleep 2; touch ${folder}/outlived'], { detached: true, stdio: 'ignore' }).unref();
`;
      expect((await grade(source(code + gold))).reward.reward).toBe(1);
      await setTimeout(2200);
      expect(readdirSync(folder)).toEqual(['started']);
    },
  );
});
