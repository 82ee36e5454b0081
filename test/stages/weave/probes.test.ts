import { describe, expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { placesOf, withName, withProbes } from '../../../stages/weave/probes.ts';

const parse = await openParse();
const encode = (text: string) => new TextEncoder().encode(text);

/** A text with its probes, the first of them numbered 7; null where it gets none. */
function probed(language: string, text: string): string | null {
  const bytes = encode(text);
  const root = parse(language, bytes);
  if (root === null) throw new Error(`no grammar for ${language}`);
  const places = placesOf(root, bytes, language);
  return places && new TextDecoder().decode(withProbes(bytes, places, language, 7));
}

const js = (id: number) => `globalThis.csw_ran?.(${id});`;

describe('a probe stands before every statement that runs', () => {
  test.each([
    ['a();\nb();\n', `${js(7)}a();\n${js(8)}b();\n`],
    ['if (a) { b(); }\n', `${js(7)}if (a) { ${js(8)}b(); }\n`],
    ['export const f = () => { g(); };\n', `${js(7)}export const f = () => { ${js(8)}g(); };\n`],
    [
      'switch (a) { case b: c(); default: d(); }\n',
      `${js(7)}switch (a) { case b: ${js(8)}c(); default: ${js(9)}d(); }\n`,
    ],
  ])('typescript: %j', (before, after) => {
    expect(probed('typescript', before)).toBe(after);
  });

  test.each([
    ['x = 1\n', 'csw_ran(7);x = 1\n'],
    ['if a:\n\tb()\n', 'csw_ran(7)\nif a:\n\tcsw_ran(8);b()\n'],
    [
      'def f():\n    """Words."""\n    for a in b:\n        c()\n',
      'def f():\n    """Words."""\n    csw_ran(7)\n    for a in b:\n        csw_ran(8);c()\n',
    ],
    ['if a: b(); c()\n', 'csw_ran(7)\nif a: csw_ran(8);b(); csw_ran(9);c()\n'],
  ])('python: %j', (before, after) => {
    expect(probed('python', before)).toBe(after);
  });

  test.each([
    ['typescript', "'use strict';\nimport a from 'b';\nexport type T = 1;\nfunction f() {}\n"],
    ['typescript', 'declare global { var a: number; }\nexport function f(): void {}\n'],
    ['python', '"""Words."""\nfrom __future__ import annotations\ndef f(): """Words."""\n'],
  ])('%s: none before what does nothing by itself in %j', (language, text) => {
    expect(probed(language, text)).toBe(text);
  });

  test('none in a text that is not read whole', () => {
    expect(probed('typescript', 'a();\nif (((\n')).toBeNull();
  });
});

test('a test file of JavaScript says its name, one of Python stays as it is', () => {
  const named = (language: string) => withName(encode('x'), 'test/a.b', language);
  expect(new TextDecoder().decode(named('javascript'))).toBe(
    'x\n;globalThis.csw_ran?.("test/a.b");\n',
  );
  expect(named('python')).toEqual(encode('x'));
});
