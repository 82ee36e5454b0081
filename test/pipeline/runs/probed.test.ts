/** @module-tag slow */
import { describe, expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import type { Runner } from '../../../schemas/environment.ts';
import { placesOf, withName, withProbes } from '../../../stages/weave/probes.ts';
import { hasRunner, liveSpec, runProject } from '../../support/live-run.ts';

const parse = await openParse();
const PATIENCE = 60_000;
const encode = (text: string) => new TextEncoder().encode(text);

/** A source with a probe before each of its statements, numbered from 0. */
function probed(language: string, text: string): Uint8Array {
  const bytes = encode(text);
  const root = parse(language, bytes);
  const places = root && placesOf(root, bytes, language);
  if (places === null) throw new Error('the source is not read whole');
  return withProbes(bytes, places, language, 0);
}

type Project = { readonly language: string; readonly files: Readonly<Record<string, string>> };

/** Statements 0 and 1 stand in one function, which tests `a` call; 2 in another, which tests `b` call; 3 in one that nobody calls. */
const script = (runner: string, source: string): Project => {
  const testing = (name: string, call: string) =>
    `import { test } from '${runner}';\nimport { ${name} } from '../${source}';\ntest('${name}', () => { ${call}; });\n`;
  return {
    language: 'javascript',
    files: {
      [source]:
        'export function one(x) { if (x > 3) { return 1; } }\nexport function two() { return 2; }\nexport function three() { return 3; }\n',
      'test/a.test.mjs': testing('one', 'one(5)'),
      'test/b.test.mjs': testing('two', 'two()'),
    },
  };
};

const python = (isPytest: boolean): Project => {
  const testing = (name: string) =>
    isPytest
      ? `from src.code import ${name}\ndef test_${name}():\n    ${name}(5)\n`
      : `import unittest\nfrom src.code import ${name}\nclass A(unittest.TestCase):\n    def test_${name}(self):\n        ${name}(5)\n`;
  return {
    language: 'python',
    files: {
      'src/code.py':
        'def one(x):\n    if x > 3:\n        return 1\ndef two(x):\n    return 2\ndef three(x):\n    return 3\n',
      'test/test_a.py': testing('one'),
      'test/test_b.py': testing('two'),
    },
  };
};

async function ran(runner: Runner, { language, files }: Project) {
  const tree = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      path.startsWith('src/') ? probed(language, text) : withName(encode(text), path, language),
    ]),
  );
  const tests = Object.keys(files).filter((path) => path.startsWith('test/'));
  const project = { tree, files: tests };
  const result = await runProject(liveSpec(runner), project, 'process', { probed: true });
  expect(result).toMatchObject({ status: 'completed', drift: [] });
  expect(result.report.results.map(({ status }) => status)).toEqual(['passed', 'passed']);
  return result.ran;
}

describe('a probed run tells which test file ran which statement', () => {
  test.runIf(hasRunner['node-test'])('node:test', { timeout: PATIENCE }, async () => {
    expect(await ran('node-test', script('node:test', 'src/code.mjs'))).toEqual([
      { tests: ['test/a.test.mjs'], ids: [0, 1] },
      { tests: ['test/b.test.mjs'], ids: [2] },
    ]);
  });

  test.runIf(hasRunner.vitest)('vitest', { timeout: PATIENCE }, async () => {
    expect(await ran('vitest', script('vitest', 'src/code.mjs'))).toEqual([
      { tests: ['test/a.test.mjs'], ids: [0, 1] },
      { tests: ['test/b.test.mjs'], ids: [2] },
    ]);
  });

  test.runIf(hasRunner.pytest)('pytest', { timeout: PATIENCE }, async () => {
    expect(await ran('pytest', python(true))).toEqual([
      { tests: ['test/test_a.py'], ids: [0, 1] },
      { tests: ['test/test_b.py'], ids: [2] },
    ]);
  });

  test.runIf(hasRunner.unittest)(
    'unittest, of whole runs only',
    { timeout: PATIENCE },
    async () => {
      expect(await ran('unittest', python(false))).toEqual([{ tests: [], ids: [0, 1, 2] }]);
    },
  );
});

test('a context of its own, such as jest gives each test file, hears the probe too', {
  timeout: PATIENCE,
}, async () => {
  const path = 'test/a.test.mjs';
  const text = `import { test } from 'node:test';
import vm from 'node:vm';
test('a', () => vm.runInContext('globalThis.csw_ran?.(5)', vm.createContext({})));
`;
  const project = { tree: { [path]: withName(encode(text), path, 'javascript') }, files: [path] };
  const parts = { probed: true } as const;
  const { ran } = await runProject(liveSpec('node-test'), project, 'process', parts);
  expect(ran).toEqual([{ tests: [path], ids: [5] }]);
});

test('an ordinary run has nothing to tell', {
  timeout: PATIENCE,
}, async () => {
  const { files } = script('node:test', 'src/code.mjs');
  const project = { tree: files, files: ['test/a.test.mjs', 'test/b.test.mjs'] };
  const result = await runProject(liveSpec('node-test'), project);
  expect(result.ran).toBeUndefined();
});
