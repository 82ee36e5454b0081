import { expect, test } from 'vitest';
import { reportOn } from '../../support/contract-case.ts';
import { lruBase, lruContract, withBody } from '../../support/lru-fixture.ts';

const packs = {
  script: ['ts/skip', 'ts/suppress', 'ts/exit', 'ts/reflect', 'ts/env', 'ts/io'],
  python: ['py/skip', 'py/suppress', 'py/exit', 'py/reflect', 'py/env', 'py/io'],
};

function hits(
  file: string,
  before: string,
  after: string,
  baseline: 'tolerate' | 'reject' = 'tolerate',
) {
  const names = file.endsWith('.py') ? packs.python : packs.script;
  const contract = {
    editable: [{ file, whole_file: true as const }],
    forbidden: { packs: names, baseline },
  };
  return reportOn({ [file]: before }, { [file]: after }, contract).reasons.map(({ code }) => code);
}

/** A template literal around an expression, in the source under test. */
const inTemplate = (code: string) => ['`a $', '{', code, '}`'].join('');

test.each([
  ['process.exit(0);', 'ts/exit'],
  ['process["exit"](0);', 'ts/exit'],
  ['pro\\u0063ess.exit(0);', 'ts/exit'],
  ['process?.exit(0);', 'ts/exit'],
  ['const { exit } = process;', 'ts/exit'],
  ["import { exit } from 'node:process';", 'ts/exit'],
  [`const x = ${inTemplate('process.exit(0)')};`, 'ts/exit'],
  [`const x = ${inTemplate(inTemplate('process.exit(0)'))};`, 'ts/exit'],
  ['if (a) /`/.test(b); process.exit(0);', 'ts/exit'],
  ['const q = a / b; process.exit(0); // /', 'ts/exit'],
  ["describe.skip('x', () => {});", 'ts/skip'],
  ["xit('x');", 'ts/skip'],
  ['const x = y as any;', 'ts/suppress'],
  ['// @ts-ignore', 'ts/suppress'],
  ['/* eslint-disable */', 'ts/suppress'],
  ['Object.is = () => true;', 'ts/reflect'],
  ['Array.prototype.map = f;', 'ts/reflect'],
  ['Object.defineProperty(Object, "is", {});', 'ts/reflect'],
  ['globalThis.fetch = f;', 'ts/reflect'],
  ["eval('1');", 'ts/reflect'],
  ["new Function('return 1')();", 'ts/reflect'],
  ["vi.mock('./a.ts');", 'ts/reflect'],
  ['if (process.env.VITEST) f();', 'ts/env'],
  ["if (process.env['NODE_TEST_CONTEXT']) f();", 'ts/env'],
  ['if (import.meta.vitest) f();', 'ts/env'],
  ["import { readFileSync } from 'node:fs';", 'ts/io'],
  ["const cp = require('child_process');", 'ts/io'],
  ['const t = Date.now();', 'ts/io'],
])('%s is a hit of %s', (line, pack) => {
  expect(hits('a.ts', '1;\n', `1;\n${line}\n`)).toEqual([`forbidden:${pack}`]);
});

test.each([
  '// process.exit(0)',
  "const text = 'process.exit(0)';",
  'const text = `process.exit(0)`;',
  'const pattern = /process.exit(0)/;',
  'list.skip(2);',
  'this.only = true;',
  'my.process.exited();',
  'const env = process.env.HOME;',
  'const created = Object.defineProperty(target, key, {});',
  'const half = (a + b) / 2, other = c / d;',
  'function fetchAll() {}',
  'Math.max(1, 2) === Date.length;',
])('%s is no hit', (line) => {
  expect(hits('a.ts', '1;\n', `1;\n${line}\n`)).toEqual([]);
});

test.each([
  ['import os; os._exit(0)', 'py/exit'],
  ['sys.exit(1)', 'py/exit'],
  ['raise SystemExit', 'py/exit'],
  ['exit()', 'py/exit'],
  ['x = f"{os._exit(0)}"', 'py/exit'],
  ['x = f"{a!r:{os._exit(0)}}"', 'py/exit'],
  ['\uff53ys.exit(1)', 'py/exit'],
  ['raise unittest.SkipTest("x")', 'py/skip'],
  ['@pytest.mark.skip', 'py/skip'],
  ['x = 1  # type: ignore', 'py/suppress'],
  ['x = 1  # noqa', 'py/suppress'],
  ['sys.modules["a"] = b', 'py/reflect'],
  ['self.__class__ = Other', 'py/reflect'],
  ['exec("x = 1")', 'py/reflect'],
  ['if "PYTEST_CURRENT_TEST" in os.environ: pass', 'py/env'],
  ['import subprocess', 'py/io'],
  ['with open("x") as f: pass', 'py/io'],
])('%s is a hit of %s', (line, pack) => {
  expect(hits('a.py', 'x = 1\n', `x = 1\n${line}\n`)).toContain(`forbidden:${pack}`);
});

test.each([
  '# sys.exit(1)',
  'x = "sys.exit(1)"',
  'x = """\nsys.exit(1)\n"""',
  'x = f"{{sys.exit(1)}}"',
  "x = r'\\'",
  'y = re.compile("a")',
  'def compile(self): pass',
  'self.open(path)',
  'signal_name = exit_code',
])('%s is no hit in Python', (line) => {
  expect(hits('a.py', 'x = 1\n', `x = 1\n${line}\n`)).toEqual([]);
});

test('a hit that the base has is tolerated, one more is not', () => {
  const old = 'process.exit(1);\n';
  expect(hits('a.ts', old, `${old}1;\n`)).toEqual([]);
  expect(hits('a.ts', old, `${old}${old}`)).toEqual(['forbidden:ts/exit']);
  expect(hits('a.ts', old, `${old}1;\n`, 'reject')).toEqual(['forbidden:ts/exit']);
});

test('a hit in protected text does not count against a body', () => {
  const base = { ...lruBase, 'src/lru.ts': `process.exit(1);\n${lruBase['src/lru.ts']}` };
  const after = { ...base, 'src/lru.ts': base['src/lru.ts'].replace('return 0', 'return 1') };
  for (const baseline of ['tolerate', 'reject'] as const) {
    const forbidden = { ...lruContract.forbidden, scope: 'region' as const, baseline };
    expect(reportOn(base, after, { ...lruContract, forbidden }).conforms).toBe(true);
  }
});

test('a hit has its place in bytes and says how often the base has it', () => {
  const report = reportOn(lruBase, withBody("    'é'; process.exit(0);\n"), lruContract);
  expect(report.reasons).toEqual([
    {
      code: 'forbidden:ts/exit',
      path: 'src/lru.ts',
      at: 123,
      detail: '"process . exit|abort|kill|reallyExit" 1 times, 0 in the base',
    },
  ]);
});
