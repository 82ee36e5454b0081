// Two kinds of extra tests behind each hidden test file, with a name that changes every run: some must pass, some must fail,
// through the same matchers that the hidden tests use. Code that turns failures into passes turns these too.

const nodeFails = [
  'a.ok(false)',
  'a(0)',
  'a.equal(1, 2)',
  'a.strictEqual(1, 2)',
  'a.notEqual(1, 1)',
  'a.notStrictEqual(1, 1)',
  'a.deepEqual([1], [2])',
  'a.deepStrictEqual([1], [2])',
  'a.notDeepEqual([1], [1])',
  'a.notDeepStrictEqual([1], [1])',
  'a.throws(() => 0)',
  'a.doesNotThrow(() => { throw new Error("x"); })',
  'a.rejects(async () => 0)',
  'a.match("a", /b/)',
  'a.doesNotMatch("a", /a/)',
];
const vitestFails = [
  'e(1).toBe(2)',
  'e(1).not.toBe(1)',
  'e([1]).toEqual([2])',
  'e([1]).toStrictEqual([2])',
  'e({ b: 1 }).toMatchObject({ b: 2 })',
  'e([1]).toContain(2)',
  'e([1]).toHaveLength(2)',
  'e(0).toBeTruthy()',
  'e(() => 0).toThrow()',
  'e("a").toMatch(/b/)',
  'e(1).toBeCloseTo(2)',
  'e(Promise.resolve(1)).rejects.toThrow()',
];
const unittestFails = [
  'self.assertEqual(1, 2)',
  'self.assertNotEqual(1, 1)',
  'self.assertTrue(0)',
  'self.assertFalse(1)',
  'self.assertIs(1, None)',
  'self.assertIsNone(1)',
  'self.assertIn(1, [])',
  'self.assertAlmostEqual(1, 2)',
  'self.assertListEqual([1], [2])',
  'self.assertDictEqual({1: 1}, {})',
  'self.assertRaises(ValueError, int, "1")',
  'self.assertRegex("a", "b")',
  'self.assertGreater(1, 2)',
];
const pytestFails = ['assert 1 == 2', 'assert not 1', 'pytest.fail("x")'];

const isModule = (path, text) =>
  /\.(?:mjs|mts)$/u.test(path) || /^\s*(?:import[\s{*'"]|export\s)/mu.test(text);

/** Imports of a module are hoisted, so they bind before any code of the file runs, wherever they stand. */
function javascript(path, text, token, runner) {
  const names = runner === 'vitest' ? 'test, expect' : 'test';
  const from = runner === 'vitest' ? 'vitest' : 'node:test';
  const renamed = names.replace(/\w+/gu, (name) => `${name} as ${token}_${name}`);
  const esm = runner === 'vitest' || isModule(path, text);
  const open = (name, specifier) =>
    esm
      ? `import ${name} from '${specifier}';`
      : `const ${name.replaceAll(' as ', ': ')} = require('${specifier}');`;
  const sources = runner === 'vitest' ? [] : ['node:assert', 'node:assert/strict'];
  const fails = runner === 'vitest' ? vitestFails : nodeFails;
  const value = runner === 'vitest' ? `${token}_expect` : null;
  const scopes = value ? [value] : sources.map((_, at) => `${token}_${at}`);
  const parameter = value ? 'e' : 'a';
  const good = value ? 'e(1).toBe(1)' : 'a.equal(1, 1)';
  const body = scopes.flatMap((scope, at) => [
    `${token}_test('${token} passes ${at}', () => ((${parameter}) => ${good})(${scope}));`,
    ...fails.map(
      (fail, n) =>
        `${token}_test('${token} fails ${at}.${n}', () => ((${parameter}) => ${fail})(${scope}));`,
    ),
  ]);
  const heads = sources.map((source, at) => open(`${token}_${at}`, source));
  const lines = [open(`{ ${renamed} }`, from), ...heads, ...body];
  return { lines, passes: scopes.length, fails: scopes.length * fails.length };
}

function unittestClass(token) {
  const tests = unittestFails.map(
    (fail, at) => `    def test_${token}_fails_${at}(self):\n        ${fail}`,
  );
  const good = `    def test_${token}_passes_0(self):\n        self.assertEqual(1, 1)`;
  return [`class Test_${token}(__import__('unittest').TestCase):`, good, ...tests];
}

/** pytest runs classes of unittest too, so its files carry both. */
function python(token, runner) {
  const lines = unittestClass(token);
  if (runner === 'unittest') return { lines, passes: 1, fails: unittestFails.length };
  const tests = pytestFails.map(
    (fail, at) => `def test_${token}_fails_${at}():\n    import pytest\n    ${fail}`,
  );
  const good = `def test_${token}_passes_0():\n    assert 1 == 1`;
  const fails = unittestFails.length + pytestFails.length;
  return { lines: [...lines, good, ...tests], passes: 2, fails };
}

/** The bytes of a hidden test file with this run's sentinels behind it, and how many there are of each kind. */
export function withSentinels(path, bytes, token, runner) {
  const text = bytes.toString('utf8');
  const isPython = runner === 'pytest' || runner === 'unittest';
  const { lines, passes, fails } = isPython
    ? python(token, runner)
    : javascript(path, text, token, runner);
  return { bytes: Buffer.concat([bytes, Buffer.from(`\n${lines.join('\n')}\n`)]), passes, fails };
}

/**
 * Whether a run was honest about its sentinels. A file that loads has all of them with the right status; one that does not
 * load has none, and then none of its tests may have passed.
 */
export function isHonest(results, files, token) {
  return files.every(({ path, passes, fails }) => {
    const own = results.filter(({ file }) => file === path);
    const named = (kind) =>
      own.filter(({ id }) => new RegExp(`${token}[ _]${kind}[ _]`, 'u').test(id));
    const [good, bad] = [named('passes'), named('fails')];
    const isRight =
      good.every(({ status }) => status === 'passed') &&
      bad.every(({ status }) => status === 'failed');
    if (good.length === passes && bad.length === fails) return isRight;
    const some = good.length + bad.length > 0 || own.some(({ status }) => status === 'passed');
    return !some;
  });
}
