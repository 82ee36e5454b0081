import { describe, expect, test } from 'vitest';
import { openParse } from '../../../../pipeline/parsing/tree-sitter.ts';
import type { Profile } from '../../../../stages/contract/profiles/profile.ts';
import { python } from '../../../../stages/contract/profiles/python.ts';
import { typescript } from '../../../../stages/contract/profiles/typescript.ts';
import { reportOn } from '../../../support/contract-case.ts';
import { fPy, fTs } from '../../../support/contract-fixtures.ts';

const parse = await openParse();
const namesIn = ({ declarations }: Profile, path: string, text: string) =>
  (declarations?.(path, new TextEncoder().encode(text), parse) ?? []).map(
    ({ kind, name }) => `${kind} ${name}`,
  );

test('declarations of TypeScript are told by kind and path, and those inside a function are not', () => {
  const text = `export function f() { function inner() {} const local = 1; return { get() {} }; }
export class C { x = 1; get v() { return 1; } set v(n) {} static s() {} m() { class D { m() {} } } }
interface I { m(): void }
type T = string;
enum E { a }
export const c = 1, arrow = () => 2;
let v;
namespace N { export function f() {} }
`;
  expect(namesIn(typescript, 'a.ts', text)).toEqual([
    'function f',
    'class C',
    'field C.x',
    'method C.v',
    'getter C.v',
    'setter C.v',
    'method C.s',
    'method C.m',
    'interface I',
    'type T',
    'enum E',
    'variable c',
    'const c',
    'variable arrow',
    'const arrow',
    'function arrow',
    'variable v',
    'function N.f',
  ]);
});

test('tests are told by the titles of their suites', () => {
  const text = `describe('lru', () => { describe("get", () => { it('evicts', () => {}); it.each([1])(\`t %s\`, f); }); });
test.skip('alone', () => {});
`;
  expect(namesIn(typescript, 'a.test.js', text)).toEqual([
    'test lru',
    'test lru > get',
    'test lru > get > evicts',
    'test lru > get > t %s',
    'test alone',
  ]);
});

test('declarations of Python are functions, classes, methods, module variables and tests', () => {
  const text = `X: int = 1
def f():
    def inner(): pass
async def g(): pass
class C:
    y = 2
    @property
    def m(self): pass
    class D:
        def n(self): pass
def test_a(): pass
class TestB:
    def test_c(self): pass
`;
  expect(namesIn(python, 'a.py', text)).toEqual([
    'variable X',
    'function f',
    'function g',
    'class C',
    'method C.m',
    'class C.D',
    'method C.D.n',
    'function test_a',
    'test test_a',
    'class TestB',
    'method TestB.test_c',
    'test TestB.test_c',
  ]);
});

describe('a target is declared exactly once', () => {
  type Fixture = typeof fTs;
  const codesOn = ({ base, withBody, contract }: Fixture, file: string, name: string) => {
    const kind = name.includes('.') ? 'method' : 'function';
    const target = { declarations: [{ file, kind, name }] };
    return (body: string) =>
      reportOn(base, withBody(body), { ...contract, target }).reasons.map(({ code }) => code);
  };
  const onTs = codesOn(fTs, 'src/lru.ts', 'LruCache.get');
  const onPy = codesOn(fPy, 'slug/core.py', 'slugify');

  test('a body that leaves it alone conforms, and one with an inner function of its name', () => {
    expect(onTs('    return { get() { return 1; } }.get();\n')).toEqual([]);
    expect(onPy('    def slugify(): pass\n    return text\n')).toEqual([]);
  });

  test('a second one is a duplicate', () => {
    expect(onTs('    return 0;\n  }\n  get(a: string): number {\n    return 1;\n')[0]).toBe(
      'target.duplicate',
    );
    expect(onPy('    return text\ndef slugify(x):\n    return x\n')[0]).toBe('target.duplicate');
  });

  test('one that is gone is missing', () => {
    const gone = codesOn(fPy, 'slug/core.py', 'slug');
    expect(gone('    return text\n')[0]).toBe('target.missing');
  });
});
