import { expect, test } from 'vitest';
import { reportOn } from '../../../support/contract-case.ts';

const script = (a: string, b: string) =>
  `function a() {\n  // A\n${a}  // /A\n}\nexport const middle = 1;\nfunction b() {\n  // B\n${b}  // /B\n}\n`;
const python = (a: string, b: string) =>
  `def a():\n    # A\n${a}    # /A\n\nmiddle = 1\n\ndef b():\n    # B\n${b}    # /B\n\nlast = 2\n`;

const codesOn = (file: string, text: typeof script, mark: string, plain: string) => {
  const region = (name: string) => {
    const depth = file.endsWith('.py') ? '    ' : '  ';
    return { start: `${depth}${mark} ${name}`, end: `${depth}${mark} /${name}` };
  };
  const editable = ['A', 'B'].map((name) => ({ file, region: region(name) }));
  return (a: string, b: string) =>
    reportOn({ [file]: text(plain, plain) }, { [file]: text(a, b) }, { editable }).reasons.map(
      ({ code }) => code,
    );
};
const onScript = codesOn('two.ts', script, '//', '  return;\n');
const onPython = codesOn('two.py', python, '#', '    return\n');

test('both bodies of a file may change', () => {
  expect(onScript('  return 1;\n', '  for (;;) {}\n')).toEqual([]);
  expect(onPython('    return 1\n', '    while 1:\n        pass\n')).toEqual([]);
});

test.each<[string, string, string]>([
  ['a comment', '  /*\n', '  */ return;\n'],
  ['a template', '  x = `\n', '  `;\n'],
])('%s from one region to the other swallows what stands between', (_, a, b) => {
  expect(onScript(a, b)).toContain('frame.lexical');
});

test.each<[string, string, string]>([
  ['an object', '  x = {\n', '  };\n'],
  ['a brace that one closes early and the other opens', '  }\n', '  {\n'],
  ['a block', '  if (0) {\n', '  }\n'],
])('%s over both regions is another extent', (_, a, b) => {
  expect(onScript(a, b)).toContain('frame.syntactic');
});

test('the same holds in Python', () => {
  expect(onPython("    x = '''\n", "    '''\n")).toContain('frame.lexical');
  expect(onPython('    x = (\n', '    )\n')).toContain('frame.syntactic');
  expect(onPython('    x = 1 + \\\n', '    1\n')).toContain('frame.syntactic');
});
