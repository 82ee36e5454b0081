import { expect, test } from 'vitest';
import { reportOn } from '../../../support/contract-case.ts';
import { fixtureOf } from '../../../support/contract-fixtures.ts';

const codesOf = (file: string, text: string, pack: string) =>
  reportOn(
    { [file]: '' },
    { [file]: text },
    { editable: [{ file, whole_file: true }], forbidden: { packs: [pack] } },
  ).reasons.map(({ code }) => code);

test.each<[string, string, string]>([
  ['a.ts', 'const p = process;\np.exit(0);\n', 'ts/exit'],
  ['a.ts', 'const p = globalThis.process;\np.exit(0);\n', 'ts/exit'],
  ['a.ts', 'const p: NodeJS.Process = process;\np.exit(0);\n', 'ts/exit'],
  ['a.ts', 'const p = process, q = 1;\np["ex" + "it"](0);\n', 'ts/exit'],
  ['a.ts', "import * as x from 'fs' + '/promises';\nrequire('child' + '_process');\n", 'ts/io'],
  ['a.ts', 'Reflect.get(process, "exit")(0);\n', 'ts/exit'],
  ['a.ts', 'Reflect.set(Array, "isArray", 1);\n', 'ts/reflect'],
  ['a.ts', "eval('process.exit(0)');\n", 'ts/exit'],
  ['a.ts', "new vm.Script('process.exit(0)');\n", 'ts/exit'],
  ['a.ts', 'const b = 1 / 2; process.exit(0); const c = 3 / 4;\n', 'ts/exit'],
  ['a.tsx', 'const b = <p>it is {process.exit(0)} here</p>;\n', 'ts/exit'],
  ['a.py', 'import os as o\no._exit(0)\n', 'py/exit'],
  ['a.py', 'import os as o, sys as s\ns.exit(0)\n', 'py/exit'],
  ['a.py', 'from sys import (path as p, exit as leave)\nleave(0)\n', 'py/exit'],
  ['a.py', 'import os\ngetattr(os, "kill")(1, 9)\n', 'py/exit'],
  ['a.py', 'import sys\nsetattr(sys, "modules", {})\n', 'py/reflect'],
  ['a.py', 'exec("import sys; sys." "exit(0)")\n', 'py/exit'],
  ['a.py', 'x = f"{__import__(\'sys\').modules}"\nf"{sys.exit(0)}"\n', 'py/exit'],
  ['a.go', 'package a\nimport o "os"\nfunc f() { o.Exit(0) }\n', 'go/exit'],
  ['a.go', 'package a\nimport (\n\to "os"\n)\nfunc f() { o.Exit(0) }\n', 'go/exit'],
])('in %s the text %j meets %s under another name', (file, text, pack) => {
  expect(codesOf(file, text, pack)).toContain(`forbidden:${pack}`);
});

test.each<[string, string, string]>([
  ['a.ts', 'const p = queue;\np.exit(0);\n', 'ts/exit'],
  ['a.ts', 'const p = process.argv;\np.exit(0);\n', 'ts/exit'],
  ['a.ts', "db.exec('process.exit(0)');\n", 'ts/exit'],
  ['a.ts', "const text = 'process.' + 'exit(0)';\n", 'ts/exit'],
  ['a.ts', 'const row = cells["exit"];\n', 'ts/exit'],
  ['a.py', 'from .os import kill as o\no(0)\n', 'py/exit'],
  ['a.py', 'import os as o\no.path.join("a", "b")\n', 'py/exit'],
  ['a.py', 'text = "sys.exit(0)"\n', 'py/exit'],
  ['a.py', 'getattr(queue, "kill")(1)\n', 'py/exit'],
  ['a.go', 'package a\nimport o "strings"\nfunc f() { o.Exit(0) }\n', 'go/exit'],
])('in %s the text %j does not meet %s', (file, text, pack) => {
  expect(codesOf(file, text, pack)).toEqual([]);
});

const { base, withBody, contract } = fixtureOf({
  file: 'a.ts',
  head: 'function guard(r: number) { return r > 0; }\nexport function f(r: number) {\n/* BEGIN */\n',
  body: '',
  tail: '/* END */\n  return guard(r);\n}\n',
  packs: ['ts/reflect'],
});
const guarded = (body: string) =>
  reportOn(base, withBody(body), contract).reasons.map(({ code }) => code);

test.each([
  'guard = () => true;\n',
  '({ g: guard } = { g: () => true });\n',
  '[guard] = [() => true];\n',
  '(guard as any) = () => true;\n',
  'guard ||= () => true;\n',
  'for (guard of [() => true]) break;\n',
])('a body that gives a protected function another value by %j is refused', (body) => {
  expect(guarded(body)).toContain('forbidden:ts/reflect');
});

test.each([
  '{ let guard = 1; [guard] = [2]; guard++; }\n',
  'const box = { guard: 1 };\nbox.guard = 2;\n',
])('a body that writes to a name of its own by %j is not', (body) => {
  expect(guarded(body)).toEqual([]);
});
