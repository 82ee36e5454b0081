import { describe, expect, test } from 'vitest';
import type { Thread } from '../../../schemas/thread.ts';
import { change, codes, mine, thread } from '../../support/mined.ts';

describe('what gives the fix away is taken out and named', () => {
  const source = 'export const take = (n: number) => Math.min(n, burst());\n';
  const files = {
    'src/limit.ts': source,
    'test/limit.test.ts':
      "it('never goes above burst', () => {});\nit('drains the whole bucket', () => {});\n",
  };
  const commits = [
    { message: 'start', files: change(1) },
    { message: 'Cap it', files },
  ];

  async function mineWith(pull: Partial<Thread>) {
    const head = (await mine(commits)).seeds[0]?.change.head ?? '';
    const told = JSON.parse(
      JSON.stringify(pull).replaceAll('HASH', head.slice(0, 10)),
    ) as Partial<Thread>;
    return (await mine(commits, [thread(4, { kind: 'pull', mergeCommit: head, ...told })]))
      .seeds[0];
  }

  test('hash, code block, test names and places', async () => {
    const seed = await mineWith({
      title: 'Taking more than burst must be capped',
      body: [
        'This should be done as in HASH.',
        '',
        `\`\`\`ts\n${source}\`\`\``,
        '',
        'It must pass "never goes above burst". It should pass drains the whole bucket too.',
        '',
        'The clamp should go into src/limit.ts at once.',
        '',
        'Nobody should ever get more tokens than there are.',
      ].join('\n'),
    });
    expect(seed?.statements.map(({ text }) => text)).toEqual([
      'Taking more than burst must be capped',
      'Nobody should ever get more tokens than there are.',
    ]);
    expect(seed?.facts.leaks.map(({ kind, doc }) => `${kind} ${doc}`).toSorted()).toEqual([
      'code-block thread:4',
      'commit-hash thread:4',
      'file-hint thread:4',
      'test-name thread:4',
      'test-name thread:4',
    ]);
    expect(seed?.rejections).toEqual([]);
  });

  test('too little left is a refusal with its reason', async () => {
    const seed = await mineWith({ title: 'See HASH for what this does', body: '' });
    expect(codes(seed)).toContain('statement-leaky');
    expect(seed?.statements).toEqual([]);
  });
});
