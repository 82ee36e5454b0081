import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contract as command } from '../../../pipeline/commands/contract.ts';
import { isUsageError } from '../../../pipeline/config/usage-problem.ts';
import { isContractProblem } from '../../../pipeline/contracts/contract-problem.ts';
import { parseContract } from '../../../pipeline/contracts/read-contract.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { git, scratch } from '../../support/solver-copy.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const head = `contract: 1\nid: case\nbase: {manifest: ${digest}}\n`;
const bytes = (text: string) => new TextEncoder().encode(text);

function codesOf(text: string | Uint8Array): string[] {
  try {
    parseContract(typeof text === 'string' ? bytes(text) : text, 'c.yaml');
    return [];
  } catch (error) {
    if (!isContractProblem(error)) throw error;
    return error.faults.map(({ code }) => code);
  }
}

test.each<[string, string, string]>([
  ['an anchor', `${head}delete: &a []\n`, 'contract.yaml-feature'],
  ['an alias', `${head}delete: &a [x]\ncreate: *a\n`, 'contract.yaml-feature'],
  ['a merge key', `${head}limits: {<<: {attempts: 2}}\n`, 'contract.yaml-feature'],
  ['a tag', `${head}delete: !!seq [x]\n`, 'contract.yaml-feature'],
  ['a duplicate key', `${head}id: other\n`, 'contract.duplicate-key'],
  ['a second document', `${head}---\ncontract: 1\n`, 'contract.yaml-feature'],
  ['a tab', `${head}limits:\n\tattempts: 2\n`, 'contract.syntax'],
  ['editable: null', `${head}editable: null\n`, 'contract.value'],
  ['a digest of 63 digits', head.replace('0000', '000'), 'contract.value'],
  ['a digest that YAML takes for a number', head.replace(digest, '12e4567'), 'contract.value'],
  ['a 1.1 directive', `%YAML 1.1\n---\n${head}`, 'contract.yaml-feature'],
  [
    'an alias bomb',
    `${head}a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n`,
    'contract.yaml-feature',
  ],
  ['broken YAML', `${head}delete: [\n`, 'contract.syntax'],
  ['an empty file', '', 'contract.value'],
  [
    'nesting without end',
    `${head}delete: ${'['.repeat(20)}${']'.repeat(20)}\n`,
    'contract.yaml-feature',
  ],
])('case A12: %s is a contract error', (_, text, code) => {
  expect(codesOf(text)).toContain(code);
});

test('case 90: a key that this version does not know is a contract error, with its place', () => {
  const text = `${head}editable:\n  - file: a.ts\n    whole_file: true\n    anything: 1\n`;
  expect(() => parseContract(bytes(text), 'c.yaml')).toThrow(
    'contract.unknown-key at c.yaml:7:15 editable[0].anything',
  );
});

describe('a file that is no contract', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['another version', head.replace('contract: 1', 'contract: 2'), 'contract.version'],
    ['no version', 'id: x\n', 'contract.version'],
    ['bytes that are not UTF-8', Uint8Array.from([0xff, 0x0a]), 'contract.syntax'],
    ['a byte order mark', `\ufeff${head}`, 'contract.syntax'],
    ['more than 256 KiB', `${head}#${'x'.repeat(256 * 1024)}\n`, 'contract.too-large'],
    [
      'an unknown profile',
      `${head}editable: [{file: a.ts, profile: cobol, whole_file: true}]\n`,
      'contract.value',
    ],
    [
      'a path that climbs',
      `${head}editable: [{file: ../a.ts, whole_file: true}]\n`,
      'contract.path',
    ],
    ['a repository path', `${head}delete: [.git/config]\n`, 'contract.path'],
    ['an unknown word', `${head}order: later\n`, 'contract.value'],
    [
      'region and whole file',
      `${head}editable: [{file: a.ts, whole_file: true, region: {start: A, end: B}}]\n`,
      'contract.value',
    ],
    ['neither', `${head}editable: [{file: a.ts}]\n`, 'contract.value'],
    ['too many attempts', `${head}limits: {attempts: 99}\n`, 'contract.value'],
    ['a scalar', 'contract\n', 'contract.value'],
  ])('%s', (_, text, code) => expect(codesOf(text)).toContain(code));

  test('arbitrary bytes are a contract problem or a contract, and nothing else', () => {
    const text = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ maxLength: 200 }).map(bytes),
      fc
        .array(
          fc.constantFrom(
            'contract',
            ': ',
            '1',
            '\n',
            '- ',
            '{',
            '}',
            '[',
            ']',
            '&a',
            '*a',
            '!x',
            '|',
            '>',
            '"',
            '#',
            '%',
            '---\n',
            '? ',
            '  ',
            'base',
          ),
          { maxLength: 40 },
        )
        .map((parts) => bytes(parts.join(''))),
    );
    fc.assert(
      fc.property(text, (input) => {
        codesOf(input);
      }),
      { numRuns: 300 },
    );
  });
});

/** One call of the verb; files are written to a folder first. */
async function call(argv: readonly string[]) {
  let [out, err] = ['', ''];
  const streams = {
    stdout: {
      write: (text: string) => {
        out += text;
      },
    },
    stderr: {
      write: (text: string) => {
        err += text;
      },
    },
    signal: new AbortController().signal,
    clock: fakeClock(),
  };
  try {
    const code = await command.run(argv, streams);
    return {
      code,
      out,
      err,
      last: JSON.parse(out.trim().split('\n').at(-1) ?? '') as Record<string, unknown>,
    };
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return { code: 2, out, err: error.message, last: {} };
  }
}

const lines = (body: string) => `export function a() {\n  // BEGIN\n${body}  // END\n}\n`;

function place(yaml: string, files: Record<string, string> = { 'a.ts': lines('  return 1;\n') }) {
  const folder = scratch();
  const tree = (name: string, more: Record<string, string> = {}) => {
    const root = join(folder, name);
    for (const [path, text] of Object.entries({ ...files, ...more })) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  };
  const file = join(folder, 'c.yaml');
  writeFileSync(file, yaml);
  return { folder, file, tree };
}

const regional = `${head}editable: [{file: a.ts, region: {start: "  // BEGIN", end: "  // END"}}]\n`;
const pinned = ['--pin-base', '--json'];

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
  expect([code, last['error']]).toEqual([2, { code: 'contract.marker-duplicate', at: 'a.ts' }]);
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
  expect([code, last['verdict'], (last['reasons'] as { code: string }[])[0]?.code]).toEqual([
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
    expect([code, last['findings']]).toMatchObject([1, [{ code: 'contract.base-mismatch' }]]);
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
      'DIR: expected',
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
    expect([code, last['error']]).toMatchObject([2, { code: 'contract.base-invalid' }]);
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
