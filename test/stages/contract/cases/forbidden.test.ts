import { describe, expect, test } from 'vitest';
import { type Files, reportOn } from '../../../support/contract-case.ts';
import { fixtureOf, fPy, fTs } from '../../../support/contract-fixtures.ts';

type Fixture = typeof fTs;
type Forbidden = NonNullable<Parameters<typeof reportOn>[2]['forbidden']>;

const reportFor = ({ base, withBody, contract }: Fixture, body: string, forbidden: Forbidden) =>
  reportOn(base, withBody(body), { ...contract, forbidden });
const codesFor = (...given: Parameters<typeof reportFor>) =>
  reportFor(...given).reasons.map(({ code }) => code);

test.each<[string, Fixture, string, string]>([
  ['76: an escaped name', fTs, '    pro\\u0063ess.exit(0);\n', 'ts/exit'],
  ['76: a computed name', fTs, '    process["exit"](0);\n', 'ts/exit'],
  [
    '77: an object that matches everything',
    fTs,
    '    return { asymmetricMatch: () => true } as never;\n',
    'ts/oracle',
  ],
  ['77: an extended matcher', fTs, '    expect.extend({});\n', 'ts/oracle'],
  [
    '77: an equality that is always true',
    fPy,
    '    class Same:\n        def __eq__(self, other): return True\n    return Same()\n',
    'py/oracle',
  ],
])('case %s violates', (_, fixture, body, pack) => {
  expect(codesFor(fixture, body, { packs: [pack] })).toEqual([`forbidden:${pack}`]);
});

test('case 78: an old hit in protected text conforms and is listed', () => {
  const old = 'process.exit(1);\n';
  const before: Files = { ...fTs.base, 'src/lru.ts': old + String(fTs.base['src/lru.ts']) };
  const after = {
    ...before,
    'src/lru.ts': String(before['src/lru.ts']).replace('return 0', 'return 1'),
  };
  for (const scope of ['region', 'file'] as const) {
    const report = reportOn(before, after, {
      ...fTs.contract,
      forbidden: { packs: ['ts/exit'], scope },
    });
    expect(report.conforms).toBe(true);
    expect(report.warnings.map(({ code, path, at }) => [code, path, at])).toEqual([
      ['note.old-hit', 'src/lru.ts', 0],
    ]);
  }
});

const c = fixtureOf({
  file: 'a.c',
  head: 'int f(int x) {\n/* BEGIN */\n',
  body: '  return x;\n',
  tail: '/* END */\n}\nint g(void) { return 1; }\n',
});

test('case 65: a preprocessor directive at the end of a body violates', () => {
  expect(codesFor(c, '  return x;\n#if 0\n', { packs: [] })).toEqual(['frame.lexical']);
  expect(codesFor(c, '  return x;\n??=if 0\n', { packs: [] })).toEqual(['frame.lexical']);
  expect(codesFor(c, '  return "#if 0"[x]; // #if 0\n', { packs: [] })).toEqual([]);
  expect(codesFor(c, '  return x; /*\n', { packs: [] })).toContain('frame.lexical');
});

describe('scope, baseline and what is lifted', () => {
  const before = { 'a.ts': 'process.exit(1);\n', 'b.ts': 'process.exit(2);\n1;\n' };
  const after = { ...before, 'b.ts': 'process.exit(2);\n2;\n' };
  const editable = [{ file: 'b.ts', whole_file: true as const }];
  const paths = (forbidden: Forbidden) =>
    reportOn(before, after, { editable, forbidden }).reasons.map(
      ({ code, path }) => `${code} ${path}`,
    );

  test('a tree without tolerance is the literal reading', () => {
    const forbidden = { packs: ['ts/exit'], baseline: 'reject' as const };
    expect(paths({ ...forbidden, scope: 'tree' })).toEqual([
      'forbidden:ts/exit a.ts',
      'forbidden:ts/exit b.ts',
    ]);
    expect(paths({ ...forbidden, scope: 'file' })).toEqual(['forbidden:ts/exit b.ts']);
    expect(paths({ packs: ['ts/exit'], scope: 'tree' })).toEqual([]);
  });

  test('constructs of the contract itself are token rows', () => {
    expect(
      codesFor(fTs, '    return key . length;\n', { packs: [], constructs: ['key . length'] }),
    ).toEqual(['forbidden:constructs']);
    expect(
      codesFor(fTs, "    return 'key.length'.length;\n", {
        packs: [],
        constructs: ['key . length'],
      }),
    ).toEqual([]);
  });

  test('a lifted word lifts its hits and no others, a lifted pack all', () => {
    const allow = (rule: string) => [{ rule, reason: 'needed' }];
    const body = "    fetch('x');\n    Date.now();\n";
    expect(codesFor(fTs, body, { packs: ['ts/io'], allow: allow('ts/io#fetch') })).toEqual([
      'forbidden:ts/io',
    ]);
    expect(
      codesFor(fTs, "    fetch('x');\n", { packs: ['ts/io'], allow: allow('ts/io#fetch') }),
    ).toEqual([]);
    expect(codesFor(fTs, body, { packs: ['ts/io'], allow: allow('ts/io') })).toEqual([]);
    expect(codesFor(fTs, body, { packs: ['ts/io'], allow: allow('ts/exit') })).toHaveLength(2);
  });

  test('a region is scanned with the protected token on each side', () => {
    const fixture = fixtureOf({
      file: 'a.ts',
      head: 'export function run() {\n  process\n  // BEGIN\n',
      body: '  .cwd();\n',
      tail: '  // END\n}\n',
    });
    const forbidden = { packs: ['ts/exit'], baseline: 'reject' as const, scope: 'region' as const };
    expect(
      codesFor(
        {
          ...fixture,
          contract: {
            editable: (fixture.contract.editable ?? []).map((one) => ({ ...one, frame: [] })),
          },
        },
        '  .exit();\n',
        forbidden,
      ),
    ).toContain('forbidden:ts/exit');
  });
});

describe('concrete constructs of the packs', () => {
  test.each([
    ['ts/reflect', 'a.ts', "eval('process.exit(0)');"],
    ['ts/exit', 'a.ts', "eval('process.exit(0)');"],
    ['py/exit', 'a.py', 'exec("import os; os._exit(0)")'],
    ['py/oracle', 'a.py', 'class A:\n    __hash__ = None'],
    ['go/skip', 'a.go', 'func f(t *testing.T) { t.Skip() }'],
    ['go/skip', 'a.go', '//go:build ignore'],
    ['go/exit', 'a.go', 'os.Exit(0)'],
    ['go/reflect', 'a.go', 'import "unsafe"'],
    ['rust/skip', 'a.rs', '#[ignore]\nfn f() {}'],
    ['rust/exit', 'a.rs', 'std::process::exit(0);'],
    ['rust/exit', 'a.rs', 'r#process::exit(0);'],
    ['rust/oracle', 'a.rs', 'impl PartialEq for A {}'],
    ['jvm/skip', 'A.java', '@Disabled void f() {}'],
    ['jvm/exit', 'A.kt', 'exitProcess(0)'],
    ['jvm/reflect', 'A.java', 'f.setAccessible(true);'],
    ['c/exit', 'a.c', 'exit(0);'],
    ['c/exit', 'a.c', 'ex\\\nit(0);'],
    ['c/exit', 'a.c', 'ex??/\nit(0);'],
    ['c/suppress', 'a.c', '// NOLINT'],
  ])('%s in %s: %s', (pack, file, line) => {
    const contract = {
      editable: [{ file, whole_file: true as const }],
      forbidden: { packs: [pack] },
    };
    const codes = reportOn({ [file]: '\n' }, { [file]: `\n${line}\n` }, contract).reasons.map(
      ({ code }) => code,
    );
    expect(codes).toContain(`forbidden:${pack}`);
  });

  test.each([
    ['go/exit', 'a.go', '// os.Exit(0)\nvar s = "os.Exit(0)"\nvar r = `os.Exit(0)`'],
    [
      'rust/skip',
      'a.rs',
      '/* #[ignore] /* nested */ */ let s = r#"#[ignore]"#; fn f<\'a>(x: &\'a str) {}',
    ],
    ['jvm/exit', 'A.kt', 'val s = """System.exit(0)"""'],
    ['c/exit', 'a.c', "char c = '\\''; /* exit(0) */ obj.exit(0);"],
  ])('%s is not met in quotes and comments of %s', (pack, file, text) => {
    const contract = {
      editable: [{ file, whole_file: true as const }],
      forbidden: { packs: [pack] },
    };
    expect(reportOn({ [file]: '\n' }, { [file]: `\n${text}\n` }, contract).reasons).toEqual([]);
  });

  test('a protected function, class or import may not be assigned', () => {
    expect(codesFor(fTs, '    guard = () => {};\n', { packs: ['ts/reflect'] })).toEqual([
      'forbidden:ts/reflect',
    ]);
    expect(codesFor(fTs, '    now = () => 1;\n', { packs: ['ts/reflect'] })).toEqual([
      'forbidden:ts/reflect',
    ]);
    expect(codesFor(fTs, '    const value = now() == 1;\n', { packs: ['ts/reflect'] })).toEqual([]);
    expect(codesFor(fPy, '    global guard\n    return text\n', { packs: ['py/reflect'] })).toEqual(
      ['forbidden:py/reflect'],
    );
  });

  test('a name that mixes scripts is told, not punished', () => {
    const report = reportFor(fTs, '    const r\u0435sult = 1;\n    return r\u0435sult;\n', {
      packs: ['ts/exit'],
    });
    expect(report.conforms).toBe(true);
    expect(report.warnings[0]).toMatchObject({ code: 'note.confusable', path: 'src/lru.ts' });
  });
});
