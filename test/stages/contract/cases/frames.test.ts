import { describe, expect, test } from 'vitest';
import { reportOn } from '../../../support/contract-case.ts';
import {
  fClass,
  fixtureOf,
  fPy,
  fPyClass,
  fPyTail,
  fTail,
  fTs,
} from '../../../support/contract-fixtures.ts';

type Fixture = typeof fTs;

const codesOn = ({ base, withBody, contract }: Fixture, body: string) =>
  reportOn(base, withBody(body), { ...contract, forbidden: { packs: [] } }).reasons.map(
    ({ code }) => code,
  );

test.each<[string, Fixture, string, string]>([
  [
    '61: an unclosed comment',
    fTs,
    '    return 0;\n  }\n}\nexport function guard(): void {}\n/*\n',
    'frame.lexical',
  ],
  ['62: an unclosed template literal', fTs, '    return `\n', 'frame.lexical'],
  [
    '63: an early brace with two openers after it',
    fTs,
    '    return 0;\n  }\n}\nexport const evil = 1;\n{\n{\n',
    'frame.syntactic',
  ],
  ['64: an unclosed triple quote', fPy, '    x = """\n', 'frame.lexical'],
  ['69: a comment without line end', fTs, '    return 1; //', 'region.joins-marker'],
  ['A1: a dangling if', fTail, '  r = 99;\n  if (false)\n', 'frame.syntactic'],
  ['A1: a dangling while', fTail, '  r = 99;\n  while (0)\n', 'frame.syntactic'],
  ['A1: a dangling do', fTail, '  r = 99;\n  do\n', 'frame.syntactic'],
  ['A1: a label', fTail, '  r = 99;\n  out:\n', 'frame.syntactic'],
  ['A1: an arrow without its body', fTail, '  r = 99;\n  const z = () =>\n', 'frame.syntactic'],
  ['A2: a decorator', fClass, '  read(): number { return 1; }\n  @dec\n', 'frame.syntactic'],
  ['A2: a static', fClass, '  read(): number { return 1; }\n  static\n', 'frame.syntactic'],
  ['A2: a get', fClass, '  read(): number { return 1; }\n  get\n', 'frame.syntactic'],
  [
    'A2: a decorator in Python',
    fPyClass,
    '    def read(self):\n        return 1\n    @(lambda f: None)\n',
    'frame.syntactic',
  ],
  [
    'A3: a body that is indented otherwise and ends in a clause',
    fixtureOf({
      file: 'a.py',
      head: 'def run(r):\n    # BEGIN\n',
      body: '    r = r\n',
      tail: '    # END\n    guard(r)\n    return r\n',
    }),
    '  r = 99\n  if 0:\n',
    'frame.syntactic',
  ],
  [
    'A4: a local name that takes the place of a function',
    fTail,
    '  r = 99;\n  const guard = () => {};\n',
    'frame.capture',
  ],
  [
    'A5: a second method of a protected name',
    fClass,
    '  read(): number { return 1; }\n  guard(): void {}\n',
    'frame.capture',
  ],
])('case %s violates', (_, fixture, body, code) => {
  expect(codesOn(fixture, body)[0]).toBe(code);
});

test.each<[string, Fixture, string]>([
  ['70: a string that holds a comment opener', fTs, "    return '/*'.length;\n"],
  ['A6: a syntax error with its extent intact', fTs, '    return (1;\n'],
])('case %s conforms', (_, fixture, body) => {
  expect(codesOn(fixture, body)).toEqual([]);
});

describe('more ways to take protected text for the body', () => {
  test.each<[string, Fixture, string]>([
    ['else', fTail, '  if (r) {} else\n'],
    ['for', fTail, '  for (;;)\n'],
    ['with an operator', fTail, '  r = r +\n'],
    ['void', fTail, '  void\n'],
    ['a comma', fTail, '  r = 1,\n'],
    ['an optional chain', fTail, '  const f = (x: unknown) =>\n'],
    ['a case label', fTail, '  switch (r) { case 1:\n'],
    ['an object literal', fTail, '  const o = {\n'],
    ['a class body', fTail, '  class A {\n'],
    ['a regular expression', fTail, '  r = /\n'],
    ['async get', fClass, '  async\n  get\n'],
    ['a private mark', fClass, '  private\n'],
    ['a readonly mark', fClass, '  readonly\n'],
    ['a call of a decorator', fClass, '  @dec({ a: 1 })\n'],
    ['a clause in Python', fPyTail, '    if 0:\n'],
    ['an else in Python', fPyTail, '    if 1:\n        pass\n    else:\n'],
    ['a try in Python', fPyTail, '    try:\n'],
    ['a backslash in Python', fPyTail, '    r = value + \\\n'],
    ['a bracket in Python', fPyTail, '    r = (value,\n'],
    ['a nested function in Python', fPyTail, '    def inner():\n        pass\n    def more():\n'],
    ['a with in Python', fPyTail, '    with open(r) as f:\n'],
    ['a lambda in Python', fPyTail, '    r = lambda: \\\n'],
    ['a triple quote in Python', fPyTail, "    r = '''\n"],
    ['a dedent in Python', fPyTail, '    r = 1\ndef other(r):\n'],
    [
      'a dedent with the same end in Python',
      fPyTail,
      '    return 1\ndef other(value):\n    r = 2\n',
    ],
    ['a decorator on a method in Python', fPyClass, '    def a(self): pass\n    @property\n'],
  ])('%s is refused by a frame', (_, fixture, body) => {
    expect(codesOn(fixture, body).some((code) => code.startsWith('frame.'))).toBe(true);
  });

  test.each<[string, Fixture, string]>([
    ['a function', fTail, '  function guard(x: number): void { void x; }\n'],
    ['a var in a block', fTail, '  { var guard = (x: number) => {}; }\n'],
    ['a destructured name', fTail, '  const { guard } = { guard(x: number) {} };\n'],
    [
      'a built-in that protected text uses',
      fixtureOf({
        file: 'a.ts',
        head: 'export function run(v: unknown) {\n  // BEGIN\n',
        body: '  v = 1;\n',
        tail: '  // END\n  return JSON.stringify(v);\n}\n',
      }),
      '  const JSON = { stringify: () => "" };\n',
    ],
    ['a Python function', fPyTail, '    def guard(r): pass\n'],
    ['a Python loop variable', fPyTail, '    for guard in [print]: pass\n'],
    ['a Python import', fPyTail, '    from a import b as guard\n'],
    ['a Python assignment in a block', fPyTail, '    if value:\n        guard = print\n'],
    ['a Python walrus', fPyTail, '    (guard := print)\n'],
    ['a Python method of a protected name', fPyClass, '    def guard(self): pass\n'],
    ['a Python member of a protected name', fPyClass, '    guard = None\n'],
  ])('%s captures a protected name', (_, fixture, body) => {
    expect(codesOn(fixture, body)).toContain('frame.capture');
  });
});

describe('honest bodies pass every frame', () => {
  test.each<[string, Fixture, string]>([
    ['nothing', fTail, ''],
    ['a comment', fTail, '  // only a note\n'],
    ['a loop', fTail, '  for (const x of [1, 2]) { r += x * input; }\n'],
    ['an if with else', fTail, '  if (input > 1) { r = 1; } else r = 2;\n'],
    ['a nested function', fTail, '  const twice = (x: number) => x * 2;\n  r = twice(input);\n'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the body of a test, not a template
    ['a template', fTail, '  r = `${input}${`${r}`}`.length;\n'],
    ['a regular expression', fTail, "  r = 'a/b'.replace(/[/*]/g, '').length;\n"],
    ['an object', fTail, '  const o = { guard: 1, run: 2 };\n  r = o.guard;\n'],
    ['a switch', fTail, '  switch (input) { case 1: r = 1; break; default: r = 2; }\n'],
    ['try and catch', fTail, '  try { r = input; } catch (error) { r = 0; }\n'],
    ['a name of its own', fTail, '  const value = input;\n  r = value;\n'],
    ['a block of its own with a protected name', fTail, '  { const guard = 1; r = guard; }\n'],
    ['a class inside', fTail, '  class A { guard() {} }\n  r = new A() ? 1 : 0;\n'],
    ['a cast', fTail, '  r = input as number;\n'],
    ['no semicolons', fTail, '  r = input\n  r += 1\n'],
    ['unicode', fTail, "  r = 'é😀'.length;\n"],
    [
      'another method',
      fClass,
      '  read(): number { return 2; }\n  write(x: number) { this.value = x; }\n',
    ],
    [
      'getters and setters',
      fClass,
      '  get size(): number { return 1; }\n  set size(x: number) { this.value = x; }\n',
    ],
    ['a static of a protected name', fClass, '  static guard(): void {}\n'],
    ['a field', fClass, '  #items: number[] = [];\n'],
    ['a decorated method', fClass, '  @dec() read(): number { return 1; }\n'],
    ['Python lines', fPyTail, '    r = value + 1\n    if r:\n        r = 2\n'],
    ['a Python loop', fPyTail, '    for x in range(3):\n        r += x\n'],
    ['a Python dictionary', fPyTail, "    d = {\n        'a': 1,\n    }\n    r = d['a']\n"],
    ['a Python string over lines', fPyTail, '    r = """a\nb"""\n'],
    ['a Python comment at any depth', fPyTail, '    r = 1\n# a note\n'],
    ['a Python comprehension', fPyTail, '    r = [guard for x in []]\n'],
    [
      'a Python nested function',
      fPyTail,
      '    def inner(guard):\n        return guard\n    r = inner(value)\n',
    ],
    ['a Python f-string', fPyTail, "    r = f'{value!r:>{10}}'\n"],
    ['a Python continued line', fPyTail, '    r = 1 + \\\n        2\n'],
    [
      'a Python method',
      fPyClass,
      '    def read(self):\n        """Say."""\n        return 2\n\n    size = 1\n',
    ],
    ['a Python one-line if', fPyTail, '    if value: r = 1\n'],
    ['a Python lambda', fPyTail, '    f = lambda x: x\n    r = f(value)\n'],
    ['a Python slice', fPyTail, '    r = value[1:]\n'],
    [
      'Python try and except',
      fPyTail,
      '    try:\n        r = 1\n    except ValueError as error:\n        r = 2\n',
    ],
  ])('%s', (_, fixture, body) => {
    expect(codesOn(fixture, body)).toEqual([]);
  });

  test.each<[string, Fixture, string]>([
    ['an open parenthesis', fTail, '  r = (input;\n'],
    ['two operators', fTail, '  r = * 2;\n'],
    ['a stray bracket', fTail, '  r = input];\n'],
    ['a keyword', fTail, '  const class = 1;\n'],
    ['a missing comma', fTail, '  r = Math.max(1 2);\n'],
    ['a stray word', fTail, '  r = input input;\n'],
    ['an if without condition', fTail, '  if { r = 1; }\n'],
    ['half a Python call', fPyTail, '    r = value)\n'],
    ['two Python words', fPyTail, '    r = value value\n'],
  ])('a syntax error that moves no extent is left to the build: %s', (_, fixture, body) => {
    expect(codesOn(fixture, body)).toEqual([]);
  });
});

test('a syntax error that the grammar cannot keep to its line is refused, though its extent is intact', () => {
  expect(codesOn(fTail, '  r = input + ;\n')).toEqual(['frame.syntactic']);
});

describe('the target', () => {
  const declaration = { file: 'src/lru.ts', kind: 'method', name: 'LruCache.get' };
  const whole = (declarations: unknown[]) => ({
    editable: [{ file: 'src/lru.ts', whole_file: true as const }],
    target: { declarations: declarations as [typeof declaration] },
  });
  const text = String(fTs.base['src/lru.ts']);
  const codes = (after: string) =>
    reportOn(fTs.base, { ...fTs.base, 'src/lru.ts': after }, whole([declaration])).reasons.map(
      ({ code }) => code,
    );

  test('is declared once', () => expect(codes(text.replace('return 0', 'return 1'))).toEqual([]));
  test('is gone', () =>
    expect(codes(text.replace('get(key', 'fetch(key'))).toEqual(['target.missing']));
  test('stands twice', () =>
    expect(codes(`${text}export class Other {}\nclass LruCache { get() {} }\n`)).toEqual([
      'target.duplicate',
    ]));
});
