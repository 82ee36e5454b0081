import { describe, expect, test } from 'vitest';
import { reportOn } from '../../../support/contract-case.ts';
import {
  fClass,
  fixtureOf,
  fPy,
  fPyClass,
  fPyTail,
  fTail,
  type fTs,
} from '../../../support/contract-fixtures.ts';

type Fixture = typeof fTs;

const codesOn = ({ base, withBody, contract }: Fixture, body: string) =>
  reportOn(base, withBody(body), { ...contract, forbidden: { packs: [] } }).reasons.map(
    ({ code }) => code,
  );

const nested = fixtureOf({
  file: 'n.ts',
  head: 'export function run(input: number) {\n  const limit = 3;\n  if (input) {\n    // BEGIN\n',
  body: '    input = 1;\n',
  tail: '    // END\n    check(limit, input);\n  }\n}\nfunction check(a: number, b: number) {}\n',
});
const module = fixtureOf({
  file: 'm.ts',
  head: "import { now } from './c.ts';\n// BEGIN\n",
  body: 'const x = 1;\n',
  tail: '// END\nexport function guard(value: number) { const item = console; return now(item, value); }\n',
});
const decorated = fixtureOf({
  file: 'd.ts',
  head: 'export class D {\n  @log\n  // BEGIN\n',
  body: '  read() { return 1; }\n',
  tail: '  // END\n  guard() { return 2; }\n}\n',
  kind: 'members',
});
const script = (after: string) =>
  fixtureOf({
    file: 'u.js',
    head: 'function run(a) {\n  // BEGIN\n',
    body: '',
    tail: `  // END\n${after}  return a;\n}\n`,
  });
const tags = fixtureOf({
  file: 'v.tsx',
  head: 'export function View(p: { a: string }) {\n  let r = null;\n  // BEGIN\n',
  body: '  r = <b>{p.a}</b>;\n',
  tail: '  // END\n  return <div>{r}<Guard/></div>;\n}\nfunction Guard() { return <i/>; }\n',
});
const pyModule = fixtureOf({
  file: 'm.py',
  head: 'import os\nCOUNT = 0\n# BEGIN\n',
  body: 'X = 1\n',
  tail: '# END\ndef guard(value):\n    return len(os.listdir(value)) + COUNT\n',
});
const pyDecorated = fixtureOf({
  file: 'd.py',
  head: 'class D:\n    @log\n    # BEGIN\n',
  body: '    def read(self):\n        return 1\n',
  tail: '    # END\n    def guard(self):\n        return 2\n',
  kind: 'members',
});
const pyAfter = (head: string) =>
  fixtureOf({
    file: 'e.py',
    head: `def run(v):\n    ${head}:\n        stop(v)\n    # BEGIN\n`,
    body: '    v = 1\n',
    tail: '    # END\n    return v\n',
  });

describe('a body that takes protected text for its own has another extent', () => {
  test.each<[string, Fixture, string]>([
    ['a word that the grammar reads as a name', fTail, '  new\n'],
    ['a throw', fTail, '  throw\n'],
    ['a type', fTail, '  type X =\n'],
    ['what is a pattern in an async function alone', fTail, '  await /x/\n'],
    ['a decorated get', fClass, '  @d() get\n'],
    ['a static get', fClass, '  static get\n'],
    ['an accessor', fClass, '  accessor\n'],
    ['nothing after a protected decorator', decorated, '  // none\n'],
    ['a statement before a protected directive', script("  'use strict';\n"), '  a = 1;\n'],
    ['a directive', script(''), '  "use strict";\n'],
    ['an open tag', tags, '  r = <b>\n'],
    ['nothing after a protected decorator in Python', pyDecorated, '    # none\n'],
    ['an else for a protected if in Python', pyAfter('if v'), '    else:\n        v = 1\n'],
    ['a line of a protected loop in Python', pyAfter('for q in v'), '        v = 1\n'],
    ['a joined line of that depth in Python', pyAfter('for q in v'), '        \\\n    v = 1\n'],
  ])('%s', (_, fixture, body) => {
    expect(codesOn(fixture, body)).toContain('frame.syntactic');
  });

  test.each<[string, string]>([
    ['old readers of f-strings see a quote', "    x = f\"{'\"'''\"'}\"\n"],
    ['new readers see a quote in a field', "    x = f'{'''\n"],
  ])('%s that is never closed', (_, body) => {
    expect(codesOn(fPy, body)).toContain('frame.lexical');
  });
});

describe('a protected name that means something else is captured', () => {
  test.each<[string, Fixture, string]>([
    ['by an escaped name', fTail, '  const gu\\u0061rd = () => {};\n'],
    ['by using', fTail, '  using guard = x;\n'],
    ['by a rest', fTail, '  const { ...guard } = {};\n'],
    ['by a loop with var', fTail, '  for (var guard of []) {}\n'],
    ['by a function over a parameter', fTail, '  function input() {}\n'],
    ['by an enum', fTail, '  const enum guard { a = 1 }\n'],
    ['in a nested block', nested, '    const limit = 0;\n'],
    ['by a class in a nested block', nested, '    class check {}\n'],
    ['by a component', tags, '  const Guard = () => null;\n'],
    ['in a module', module, 'function guard() { return 1; }\n'],
    ['in place of an import', module, 'var now;\n'],
    ['in place of a global', module, 'const console = {};\n'],
    ['by a quoted member', fClass, "  'guard'() {}\n"],
    ['by a computed member', fClass, "  ['guard']() {}\n"],
    ['by a member whose name nobody can read', fClass, '  [x]() {}\n'],
    ['by a getter', fClass, '  get guard() { return () => {}; }\n'],
    ['by a field', fClass, '  guard = () => {};\n'],
    ['by del', fPyTail, '    del guard\n'],
    ['by a pattern', fPyTail, '    match value:\n        case [x, *guard]: pass\n'],
    ['by a pattern with a name', fPyTail, '    match value:\n        case int() as guard: pass\n'],
    ['by a type', fPyTail, '    type guard = int\n'],
    ['by global', fPyTail, '    global guard\n    guard = print\n'],
    ['by a name of another width', fPyTail, '    \uff47uard = print\n'],
    ['by a value that is added to', fPyTail, '    guard += 1\n'],
    ['by every name of a module', pyModule, 'from evil import *\n'],
    ['in place of a Python import', pyModule, 'os = None\n'],
    ['in place of a Python builtin', pyModule, 'len = print\n'],
    ['a second time in a Python module', pyModule, 'def guard(value): pass\n'],
    ['by a loop in a Python class', fPyClass, '    for guard in []: pass\n'],
  ])('%s', (_, fixture, body) => {
    expect(codesOn(fixture, body)).toContain('frame.capture');
  });
});

describe('names of a body that capture nothing', () => {
  test.each<[string, Fixture, string]>([
    ['a loop variable', fTail, '  for (const guard of [1]) r += guard;\n'],
    ['a caught error', fTail, '  try { r = 1; } catch (guard) { r = 2; }\n'],
    [
      'a parameter',
      fTail,
      '  function helper(guard: number) { return guard; }\n  r = helper(1);\n',
    ],
    ['a parameter of a type', fTail, '  type F = (guard: number) => void;\n  r = 1;\n'],
    [
      'a name that protected functions have for their own',
      module,
      'const value = 3;\nconst item = 4;\n',
    ],
    ['half of a property', fClass, '  get value2() { return 1; }\n  set value2(x) {}\n'],
    ['a well known symbol', fClass, '  *[Symbol.iterator]() { yield 1; }\n'],
    ['a tag with a slash', tags, '  r = <>{[1].map((k) => <i key={k}>{k}</i>)}</>;\n'],
    ['a Python parameter', fPy, '    text = text.strip()\n    return text\n'],
    ['a Python local', fPyTail, '    value = value or 1\n    r += value\n'],
    ['a Python argument', fPyTail, '    r = max(key=1, guard=2)\n'],
    ['a Python attribute', fPyTail, '    value.guard = 1\n'],
    ['a Python name in a module that functions have too', pyModule, 'value = 3\n'],
    ['a Python f-string over lines', fPy, "    return f'''{\n    text}'''\n"],
  ])('%s', (_, fixture, body) => {
    expect(codesOn(fixture, body)).toEqual([]);
  });
});

test('a run of joined lines that the grammar cannot read in time is refused', () => {
  expect(codesOn(fPy, `    x = 1 + ${'\\\n'.repeat(120)}    2\n`)).toContain('scan.error');
});

test('a file that is too large to parse is refused', () => {
  const large = fixtureOf({
    file: 'a.ts',
    head: `// ${'x'.repeat(1024 * 1024)}\nfunction f() {\n  // BEGIN\n`,
    body: '  f();\n',
    tail: '  // END\n}\n',
  });
  expect(codesOn(large, '  f;\n')).toContain('scan.error');
});
