import {
  assertChecks,
  expectChecks,
  jestChecks,
  kindOfCheck,
  nodeChecks,
  unittestChecks,
  vitestChecks,
} from './sentinel-checks.ts';

/** Runners whose test files can carry sentinels. */
type Carrier = 'node-test' | 'vitest' | 'jest' | 'mocha' | 'unittest' | 'pytest';

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

type Scope = { readonly of: string; readonly checks: readonly string[] };

/** It fails where every check throws, and passes as soon as one does not. On one line, for the compilers of some projects. */
function mustFail(scopes: readonly Scope[], parameter = ''): string {
  const all = scopes.map(
    ({ of, checks }) => `[${of}, [${checks.map((one) => `(a) => ${one}`).join(', ')}]]`,
  );
  return `async (${parameter}) => { let last; for (const [a, checks] of [${all.join(', ')}]) for (const check of a ? checks : []) { try { await check(a); } catch (error) { last = error; continue; } return; } throw last; }`;
}

/**
 * As `mustFail`, on the matchers of node. A function that was tried in one scope is not tried again in the next under a name of the
 * same kind: each error that it throws is worded at length, for every file of a run.
 */
function nodeMustFail(scopes: readonly string[], checks: Readonly<Record<string, string>>): string {
  const all = Object.entries(checks).map(
    ([name, check]) => `['${name}', '${kindOfCheck(name)}', (a) => ${check}]`,
  );
  return `async (t) => { const all = [${all.join(', ')}]; const tried = []; const scopes = [${scopes.join(', ')}]; let last; for (let i = 0; i < scopes.length; i++) { const a = scopes[i]; next: for (let j = 0; a && j < all.length; j++) { const [name, kind, check] = all[j]; const used = a[name]; for (let k = 0; k < tried.length; k++) if (tried[k].kind === kind && tried[k].used === used) continue next; tried[tried.length] = { kind, used }; try { await check(a); } catch (error) { last = error; continue; } return; } } if (tried.length === 0) return; throw last; }`;
}

function nodeTest(path: string, text: string, { good, bad }: SentinelNames): string {
  const bring = importing(path, text);
  const [x, y] = [numberOf(good), numberOf(bad)];
  const scopes = [`${good}_a`, `${good}_s`, 't.assert'];
  return [
    bring(`{ test as ${good}_t }`, 'node:test'),
    bring(`${good}_a`, 'node:assert'),
    bring(`${good}_s`, 'node:assert/strict'),
    `${good}_t('${good}', () => ${good}_a.equal(${x}, ${x}));`,
    `${good}_t('${bad}', ${nodeMustFail(scopes, nodeChecks(x, y))});`,
  ].join('\n');
}

/** Imports are hoisted, so they bind before any code of the file runs, wherever they stand. */
function vitest({ good, bad }: SentinelNames): string {
  const [x, y] = [numberOf(good), numberOf(bad)];
  return [
    `import { test as ${good}_t, expect as ${good}_e } from 'vitest';`,
    `${good}_t('${good}', () => ${good}_e(${x}).toBe(${x}));`,
    `${good}_t('${bad}', ${mustFail([{ of: `${good}_e`, checks: vitestChecks(x, y) }])});`,
  ].join('\n');
}

/** Compilers that check types would stop at code without any. */
const unchecked = (lines: readonly string[]) =>
  lines.map((line) => `// @ts-ignore\n${line}`).join('\n');

/** The names that the file itself uses, its imports before the runner's globals. */
function jest({ good, bad }: SentinelNames): string {
  const [x, y] = [numberOf(good), numberOf(bad)];
  return unchecked([
    `const ${good}_t = typeof test === 'undefined' ? it : test;`,
    `${good}_t('${good}', () => { expect(${x}).toBe(${x}); });`,
    `${good}_t('${bad}', ${mustFail([{ of: 'expect', checks: jestChecks(x, y) }])});`,
  ]);
}

const orNull = (name: string) => `typeof ${name} === 'undefined' ? null : ${name}`;

/** Whether a file is compiled to `require` its text does not say, so it is tried. */
function mocha({ good, bad }: SentinelNames): string {
  const [x, y] = [numberOf(good), numberOf(bad)];
  const checks = Object.values(nodeChecks(x, y));
  const scopes = [
    { of: `${good}_m('node:assert')`, checks },
    { of: `${good}_m('node:assert/strict')`, checks },
    { of: orNull('assert'), checks: assertChecks(x, y) },
    { of: orNull('expect'), checks: expectChecks(x, y) },
  ];
  return unchecked([
    `const ${good}_t = typeof it === 'undefined' ? test : it;`,
    `const ${good}_m = typeof require === 'undefined' ? process.getBuiltinModule : require;`,
    `${good}_t('${good}', () => { ${good}_m('node:assert').equal(${x}, ${x}); });`,
    `${good}_t('${bad}', ${mustFail(scopes)});`,
  ]);
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
    [/^(?:\w+\s+)?def test/mu.test(text), { head: null, checks }],
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
    ? /^(?:\w+\s+)?def load_tests\b|^load_tests\s*=/mu.test(text)
    : /^pytestmark\b[\s\S]{0,400}?\bparametrize\b/mu.test(text);

/** Words of a command that pick tests by name or mark, so that a sentinel might not run. */
const PICKS =
  /^(?:--test-only|--test-(?:name|skip)-pattern|-t|--testNamePattern|-g|--grep|-f|--fgrep|-k|-m|--deselect|--lf|--last-failed)(?:=|$)/u;

/** Whether a runner's arguments leave tests out; then no file of the run can carry sentinels. */
export const picksTests = (argv: readonly string[]): boolean =>
  argv.some((word) => PICKS.test(word));

function codeFor(runner: string, path: string, text: string, names: SentinelNames) {
  if (runner === 'node-test') return { code: nodeTest(path, text, names), kinds: 1 };
  if (runner === 'vitest') return { code: vitest(names), kinds: 1 };
  if (runner === 'jest') return { code: jest(names), kinds: 1 };
  if (runner === 'mocha') return { code: mocha(names), kinds: 1 };
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
