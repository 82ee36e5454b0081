/** Runners whose test files can carry sentinels. */
type Carrier = 'node-test' | 'vitest' | 'unittest' | 'pytest';

/** Names of this run's two extra tests, letters only. They say nothing of what they are, and change every run. */
export type SentinelNames = { readonly good: string; readonly bad: string };

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NAME_LENGTH = 14;

/** Two names from random bytes, at least 28 of them. */
export function sentinelNames(random: Uint8Array): SentinelNames {
  const text = Array.from(random, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
  return { good: text.slice(0, NAME_LENGTH), bad: text.slice(NAME_LENGTH, 2 * NAME_LENGTH) };
}

/** Fixed numbers would be known to whoever read this file; these follow from the names. */
function numberOf(name: string): number {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + LETTERS.indexOf(letter)) % 999_983;
  return sum;
}

const nodeChecks = (x: number, y: number) => [
  'a.ok(false)',
  `a.equal(${x}, ${y})`,
  `a.strictEqual(${x}, ${y})`,
  `a.notEqual(${x}, ${x})`,
  `a.notStrictEqual(${y}, ${y})`,
  `a.deepEqual([${x}], [${y}])`,
  `a.deepStrictEqual({ v: ${x} }, { v: ${y} })`,
  `a.notDeepEqual([${x}], [${x}])`,
  `a.notDeepStrictEqual([${y}], [${y}])`,
  `a.throws(() => ${x})`,
  `a.doesNotThrow(() => { throw new Error("${y}"); })`,
  `a.rejects(async () => ${x})`,
  `a.match("${x}", /x${y}/)`,
  `a.doesNotMatch("${x}", /${x}/)`,
];

const vitestChecks = (x: number, y: number) => [
  `a(${x}).toBe(${y})`,
  `a(${x}).not.toBe(${x})`,
  `a([${x}]).toEqual([${y}])`,
  `a({ v: ${x} }).toStrictEqual({ v: ${y} })`,
  `a({ v: ${x} }).toMatchObject({ v: ${y} })`,
  `a([${x}]).toContain(${y})`,
  `a([${x}]).toHaveLength(${y})`,
  'a(0).toBeTruthy()',
  `a(${x}).toBeFalsy()`,
  `a(() => ${x}).toThrow()`,
  `a("${x}").toMatch(/x${y}/)`,
  `a(${x}).toBeCloseTo(${x + 5})`,
  `a(${x}).to.equal(${y})`,
  `a(Promise.resolve(${x})).rejects.toThrow()`,
];

const unittestChecks = (x: number, y: number) => [
  `self.assertEqual(${x}, ${y})`,
  `self.assertNotEqual(${x}, ${x})`,
  'self.assertTrue(0)',
  `self.assertFalse(${y + 1})`,
  `self.assertIs(${x}, None)`,
  `self.assertIsNone(${x})`,
  `self.assertIn(${x}, [${y}])`,
  `self.assertAlmostEqual(${x}, ${x + 5})`,
  `self.assertListEqual([${x}], [${y}])`,
  `self.assertDictEqual({"v": ${x}}, {"v": ${y}})`,
  'self.assertRaises(ValueError, int, "1")',
  `self.assertRegex("${x}", "x${y}")`,
  `self.assertGreater(${x}, ${x + 1})`,
];

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//gu, '').replace(/^\s*\/\/.*$/gmu, '');

/** How a file of JavaScript gets its modules. The sentinels do as the file does, and so meet the very objects that it uses. */
function importing(path: string, text: string): (binding: string, from: string) => string {
  const code = withoutComments(text);
  const isCommon = /\.c[jt]s$/u.test(path);
  const hasSyntax = /^\s*(?:import[\s{*'"]|export\s)/mu.test(code);
  if (!isCommon && (hasSyntax || /\.m[jt]s$/u.test(path)))
    return (binding, from) => `import ${binding} from '${from}';`;
  const get = isCommon || /\brequire\(/u.test(code) ? 'require' : 'process.getBuiltinModule';
  return (binding, from) => `const ${binding.replaceAll(' as ', ': ')} = ${get}('${from}');`;
}

/** It fails where every check throws, and passes as soon as one does not. */
const mustFail = (scopes: string, checks: readonly string[]) => `async (t) => {
  let last;
  for (const a of ${scopes}) for (const check of [${checks.map((one) => `(a) => ${one}`).join(', ')}]) {
    try { await check(a); } catch (error) { last = error; continue; }
    return;
  }
  throw last;
}`;

function nodeTest(path: string, text: string, { good, bad }: SentinelNames): string {
  const bring = importing(path, text);
  const [x, y] = [numberOf(good), numberOf(bad)];
  const scopes = `[${good}_a, ${good}_s, t.assert ?? ${good}_a]`;
  return [
    bring(`{ test as ${good}_t }`, 'node:test'),
    bring(`${good}_a`, 'node:assert'),
    bring(`${good}_s`, 'node:assert/strict'),
    `${good}_t('${good}', () => ${good}_a.equal(${x}, ${x}));`,
    `${good}_t('${bad}', ${mustFail(scopes, nodeChecks(x, y))});`,
  ].join('\n');
}

/** Imports are hoisted, so they bind before any code of the file runs, wherever they stand. */
function vitest({ good, bad }: SentinelNames): string {
  const [x, y] = [numberOf(good), numberOf(bad)];
  return [
    `import { test as ${good}_t, expect as ${good}_e } from 'vitest';`,
    `${good}_t('${good}', () => ${good}_e(${x}).toBe(${x}));`,
    `${good}_t('${bad}', ${mustFail(`[${good}_e]`, vitestChecks(x, y))});`,
  ].join('\n');
}

type PythonKind = { readonly head: string | null; readonly checks: readonly string[] };

/** Not the name of a test: an id is told by the name it ends with, and a class stands in the middle. */
const classOf = ({ good }: SentinelNames) => Array.from(good).toReversed().join('');

const indented = (text: string, by: string) => text.replace(/^(?=.)/gmu, by);

function pythonTests({ head, checks }: PythonKind, { good, bad }: SentinelNames): string {
  const [x, y] = [numberOf(good), numberOf(bad)];
  const self = head === null ? '' : 'self';
  const tests = `def test_${good}(${self}):
    assert ${x} == ${x}
def test_${bad}(${self}):
    def plain():
        assert ${x} == ${y}
    def turned():
        assert not ${x + 1}
    last = None
    for check in (plain, turned, ${checks.map((one) => `lambda: ${one}`).join(', ')}):
        try:
            check()
        except BaseException as error:
            last = error
        else:
            return
    raise last`;
  return head === null ? tests : `${head}\n${indented(tests, '    ')}`;
}

/** Every kind of test that the file has, each with the matchers that such a test would use. */
function pythonKinds(runner: Carrier, text: string, names: SentinelNames): readonly PythonKind[] {
  const [x, y] = [numberOf(names.good), numberOf(names.bad)];
  const name = classOf(names);
  const unittest: PythonKind = {
    head: `class Test_${name}(__import__('unittest').TestCase):`,
    checks: unittestChecks(x, y),
  };
  if (runner === 'unittest') return [unittest];
  const pytest = `__import__('pytest')`;
  const checks = [`${pytest}.fail("${x}")`, `${pytest}.raises(ValueError, int, "1")`];
  const hasCases = /\bTestCase\b/u.test(text);
  const kinds: readonly [boolean, PythonKind][] = [
    [/^(?:async\s+)?def test/mu.test(text), { head: null, checks }],
    [/^class Test/mu.test(text) && !hasCases, { head: `class Test${name}:`, checks }],
    [hasCases, { ...unittest, checks: [...unittest.checks, ...checks] }],
  ];
  const found = kinds.flatMap(([isThere, kind]) => (isThere ? [kind] : []));
  // Cases of unittest are collected whatever names the project's configuration asks for.
  return found.length > 0 ? found : [unittest];
}

/** Where the file itself decides which tests there are, or gives each of them arguments, nothing can be set beside them. */
const isClosed = (runner: Carrier, text: string) =>
  runner === 'unittest'
    ? /^(?:async\s+)?def load_tests\b|^load_tests\s*=/mu.test(text)
    : /^pytestmark\b[\s\S]{0,400}?\bparametrize\b/mu.test(text);

function codeFor(runner: string, path: string, text: string, names: SentinelNames) {
  if (runner === 'node-test') return { code: nodeTest(path, text, names), kinds: 1 };
  if (runner === 'vitest') return { code: vitest(names), kinds: 1 };
  if (runner !== 'unittest' && runner !== 'pytest') return null;
  if (isClosed(runner, text)) return null;
  const kinds = pythonKinds(runner, text, names);
  return { code: kinds.map((kind) => pythonTests(kind, names)).join('\n'), kinds: kinds.length };
}

/**
 * A test file with this run's sentinels behind it, so that they share its process and modules and no line of it moves. `kinds`
 * is how many pairs there are: one that must pass, one that must fail. null: this file cannot carry any.
 */
export function withSentinels(
  runner: string,
  path: string,
  bytes: Uint8Array,
  names: SentinelNames,
): { readonly bytes: Uint8Array; readonly kinds: number } | null {
  const made = codeFor(runner, path, new TextDecoder().decode(bytes), names);
  if (made === null) return null;
  const tail = new TextEncoder().encode(`\n${made.code}\n`);
  const all = new Uint8Array(bytes.length + tail.length);
  all.set(bytes);
  all.set(tail, bytes.length);
  return { bytes: all, kinds: made.kinds };
}
