import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, head, lines, pinned, place, regional } from '../../support/contract-verb.ts';
import { git } from '../../support/solver-copy.ts';

test('case 12: a marker that is not unique in the base is a contract error and nothing is judged', async () => {
  const { file, tree } = place(regional, { 'a.ts': `  // BEGIN\n${lines('')}` });
  const { code, last } = await call([
    'check',
    file,
    '--base',
    tree('b'),
    '--candidate',
    tree('b'),
    ...pinned,
  ]);
  expect([code, last.error]).toEqual([2, { code: 'contract.marker-duplicate', at: 'a.ts' }]);
});

test('case 90: a wider contract inside the candidate is a changed file and no contract', async () => {
  const { file, tree } = place(regional, { 'a.ts': lines(''), 'c.yaml': regional });
  const wider = `${head}editable: [{file: c.yaml, whole_file: true}, {file: a.ts, whole_file: true}]\n`;
  const { code, last } = await call([
    'check',
    file,
    '--base',
    tree('b'),
    '--candidate',
    tree('c', { 'c.yaml': wider }),
    ...pinned,
  ]);
  expect([code, last.verdict, (last.reasons as { code: string }[])[0]?.code]).toEqual([
    1,
    'violates',
    'bytes.protected',
  ]);
});

describe('the verb', () => {
  test('judges trees, git objects and proposals, and leaves nothing behind', async () => {
    const { folder, file, tree } = place(regional);
    const [base, good, bad] = [
      tree('b'),
      tree('g', { 'a.ts': lines('  return 2;\n') }),
      tree('v', { 'a.ts': `${lines('  return 2;\n')}\n` }),
    ];
    const before = readdirSync(folder, { recursive: true }).length;
    const check = (...rest: string[]) => call(['check', file, '--base', base, ...rest, ...pinned]);
    expect(await check('--candidate', good)).toMatchObject({
      code: 0,
      last: { verdict: 'conforms', conformsEq2: true },
    });
    expect(await check('--candidate', bad)).toMatchObject({
      code: 1,
      last: { verdict: 'violates', differences: [{ path: 'a.ts' }] },
    });
    expect(readdirSync(folder, { recursive: true }).length).toBe(before);
    git(good, 'init', '-q');
    git(good, 'add', '-A');
    git(good, 'commit', '-q', '-m', 'one');
    expect(await check('--candidate', `git:${good}@HEAD`)).toMatchObject({ code: 0 });
    const proposal = join(folder, 'p.json');
    writeFileSync(proposal, JSON.stringify({ bodies: [{ region: 'r1', text: '  return 3;\n' }] }));
    expect(await check('--proposal', proposal)).toMatchObject({
      code: 0,
      last: { verdict: 'conforms' },
    });
    writeFileSync(proposal, '{');
    expect(await check('--proposal', proposal)).toMatchObject({
      code: 1,
      last: { verdict: 'invalid', reasons: [{ code: 'proposal.syntax' }] },
    });
  });

  test('lints with a reference, and says the root of a base that is another', async () => {
    const { file, tree, folder } = place(regional);
    const base = tree('b');
    const { code, last } = await call(['lint', file, '--base', base, '--json']);
    expect([code, last.findings]).toMatchObject([1, [{ code: 'contract.base-mismatch' }]]);
    expect((await call(['lint', file, '--base', base, ...pinned])).code).toBe(0);
    const patch = join(folder, 'x.patch');
    writeFileSync(
      patch,
      'diff --git a/b.ts b/b.ts\nnew file mode 100644\n--- /dev/null\n+++ b/b.ts\n@@ -0,0 +1 @@\n+1;\n',
    );
    expect(
      await call(['lint', file, '--base', base, '--reference', patch, ...pinned]),
    ).toMatchObject({
      code: 1,
      last: { findings: [{ code: 'contract.reference-failed', path: 'b.ts' }] },
    });
  });

  test('explains a contract and a report', async () => {
    const { file, tree, folder } = place(regional);
    const bad = tree('v', { 'a.ts': `${lines('')}x\n` });
    expect((await call(['explain', file, '--json'])).out).toContain(
      'the lines between "// BEGIN" and "// END"',
    );
    const { out } = await call(['check', file, '--base', tree('b'), '--candidate', bad, ...pinned]);
    const report = join(folder, 'report.json');
    writeFileSync(report, out);
    const said = await call(['explain', report, '--json']);
    expect(said.out).toContain('bytes.segment a.ts');
    expect(said.out).toContain('First differing bytes:');
  });

  test.each<[string, (at: ReturnType<typeof place>) => string[], string]>([
    ['no base', ({ file }) => ['check', file, '--candidate', 'x'], '--base: expected'],
    [
      'no candidate',
      ({ file, tree }) => ['check', file, '--base', tree('b')],
      'either --candidate DIR or --proposal FILE',
    ],
    [
      'a base that is not there',
      ({ file }) => ['check', file, '--base', 'nowhere', '--candidate', 'x'],
      '--base: expected',
    ],
    [
      'an object that is not there',
      ({ file, tree }) => {
        const base = tree('b');
        git(base, 'init', '-q');
        return ['check', file, '--base', `git:${base}@nothing`, '--candidate', base];
      },
      'a commit or tree that is there',
    ],
    [
      'a contract that is not there',
      ({ tree }) => ['lint', 'nowhere.yaml', '--base', tree('b')],
      'C: expected',
    ],
    ['another word', ({ file }) => ['judge', file], 'WHAT: expected'],
  ])('%s is a usage error', async (_, argv, message) => {
    const { code, err } = await call([...argv(place(regional)), '--json']);
    expect([code, err.includes(message)]).toEqual([2, true]);
  });

  test('a base that is no tree can be the base of nothing', async () => {
    const { file, tree } = place(regional);
    const base = tree('b');
    symlinkSync('/etc', join(base, 'link'));
    writeFileSync(Buffer.concat([Buffer.from(`${base}/`), Buffer.from([0xff])]), '');
    const { code, last } = await call([
      'check',
      file,
      '--base',
      base,
      '--candidate',
      base,
      ...pinned,
    ]);
    expect([code, last.error]).toMatchObject([2, { code: 'contract.base-invalid' }]);
  });

  test('the three worked examples are what their names say', async () => {
    const [file, base] = ['docs/contracts/queue.contract.yaml', 'docs/contracts/base'];
    for (const [name, code, verdict] of [
      ['conforms', 0, 'conforms'],
      ['violates', 1, 'violates'],
      ['invalid', 1, 'invalid'],
    ] as const)
      expect(
        await call([
          'check',
          file,
          '--base',
          base,
          '--candidate',
          `docs/contracts/${name}`,
          '--json',
        ]),
      ).toMatchObject({ code, last: { verdict } });
    expect(readFileSync('README.md', 'utf8')).toContain(file);
  });
});
