import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import type { contractFor, Files } from '../../support/contract-case.ts';
import { lintWords } from '../../support/lint-case.ts';

type Parts = Parameters<typeof contractFor>[1];

const whole = (file: string) => ({ file, whole_file: true as const });
const region = (file: string, more: object = {}) => ({
  file,
  region: { start: '// A', end: '// B' },
  ...more,
});
const text = '// A\n1;\n// B\n';
const link: Files[string] = ['link', 'b'];
const exec: Files[string] = ['exec', 'x'];
const digest = `sha256:${sha256('x')}`;
const build = (more: object) => ({
  network: 'none' as const,
  commands: [{ argv: ['true'] }],
  ...more,
});
const target = (name: string, file = 'a.ts', kind = 'function') => ({
  declarations: [{ file, kind, name }],
});

describe('the lint says of paths', () => {
  test.each<[string, Files, Parts, string[]]>([
    [
      'that the base does not have them',
      { b: '' },
      { editable: [whole('a')], delete: ['c'] },
      [
        'value a: an editable file that the base does not have',
        'value c: a path to delete that the base does not have',
      ],
    ],
    [
      'that the base has them as something else',
      { a: link, b: '' },
      { editable: [whole('a')] },
      ['value a: an editable file that the base has as a link', 'base-invalid a: "a" is a link'],
    ],
    [
      'nothing about a program or about a file to delete',
      { a: exec, b: '' },
      { editable: [whole('a')], delete: ['b'] },
      [],
    ],
    [
      'that they are never editable',
      { 'package.json': '', '.npmrc': '' },
      { editable: [whole('package.json')], delete: ['.npmrc'] },
      [
        'protected-path package.json: a name that is never editable, and no override',
        'protected-path .npmrc: a name that is never editable, and no override',
      ],
    ],
    [
      'that no tree may hold them',
      { b: '' },
      { editable: [whole('../a')] },
      [
        'path ../a: a path that no tree may hold',
        'value ../a: an editable file that the base does not have',
      ],
    ],
    [
      'that a link above them leads elsewhere',
      { d: ['link', 'e'], 'e/a.ts': '' },
      { create: [{ glob: 'd/**/*.ts' }, { glob: 'e/*.ts' }] },
      ['base-invalid d/x: "d" is a link'],
    ],
    [
      'that names a glob promises are never created',
      {},
      { create: [{ glob: '{package,x}.json' }, { glob: 'src/*.ts' }, { glob: '**/conftest.py' }] },
      [
        'protected-path {package,x}.json: names that are never created, and no override',
        'protected-path **/conftest.py: names that are never created, and no override',
      ],
    ],
    [
      'nothing where an override lifts it',
      {},
      {
        create: [{ glob: '{package,x}.json' }],
        override: [{ path: 'package.json', reason: 'asked for', approved_by: 'the owner' }],
      },
      [],
    ],
    [
      'that droppings would reach them',
      { 'a.log': '', 'b.ts': '' },
      {
        base: { manifest: digest, discard: ['*.log', 'out/**'] },
        create: [{ glob: 'src/*.ts' }, { glob: 'out/*.ts' }],
      },
      [
        'value a.log: a discard glob meets this path',
        'value out/*.ts: what this glob creates, a discard glob drops',
      ],
    ],
    [
      'that droppings would reach an editable file alone',
      { 'b.ts': '' },
      { base: { manifest: digest, discard: ['*.log'] }, editable: [whole('a.log')] },
      [
        'value a.log: an editable file that the base does not have',
        'value a.log: a discard glob meets this path',
      ],
    ],
    [
      'that the build lays them itself',
      { 'lib/a.ts': '', 'x.ts': '', 'deps/b.ts': '' },
      {
        editable: [whole('lib/a.ts'), whole('x.ts')],
        delete: ['deps/b.ts'],
        create: [{ glob: 'deps/*.ts' }, { glob: 'new/*.ts' }],
        build: build({
          overlay: [{ path: 'lib/a.ts', sha256: digest }],
          mounts: [{ path: 'deps', manifest: digest }],
        }),
      },
      [
        'protected-path lib/a.ts: the build lays or mounts this path itself',
        'protected-path deps/b.ts: the build lays or mounts this path itself',
        'protected-path deps/*.ts: the build lays or mounts this path itself',
      ],
    ],
  ])('%s', (_, files, parts, words) => {
    expect(lintWords(files, parts).toSorted()).toEqual(words.toSorted());
  });
});

describe('the lint says of regions and frames', () => {
  test.each<[string, Files, Parts, string[]]>([
    [
      'that an id occurs twice',
      { 'a.ts': text, 'b.ts': text },
      { editable: [region('a.ts', { id: 'r' }), region('b.ts', { id: 'r' })] },
      ['value -: the entry "r" occurs twice'],
    ],
    [
      'that a profile has no lexical frame',
      { 'a.txt': text },
      { editable: [region('a.txt', { frame: ['lexical'] })] },
      ['frame-unavailable a.txt: profile none has no lexical frame'],
    ],
    [
      'that a profile has no syntactic frame',
      { 'a.go': text },
      { editable: [region('a.go', { frame: ['syntactic'] })] },
      ['frame-unavailable a.go: profile go has no syntactic frame'],
    ],
    [
      'that a profile has none at all',
      { 'a.txt': text },
      { editable: [region('a.txt')] },
      [
        'frame-unavailable a.txt: profile none has no frame at all; write frame: [] to go on without',
      ],
    ],
    [
      'nothing where the contract goes on without',
      { 'a.txt': text },
      { editable: [region('a.txt', { frame: [] })] },
      [],
    ],
    [
      'that a profile has no such kind of region',
      { 'a.ts': text },
      { editable: [region('a.ts', { region_kind: 'proof-body' })] },
      ['frame-unavailable a.ts: profile typescript has no region kind "proof-body"'],
    ],
    ['nothing of a whole file', { 'a.txt': text }, { editable: [whole('a.txt')] }, []],
  ])('%s', (_, files, parts, words) => {
    expect(lintWords(files, parts)).toEqual(words);
  });

  test.each<[string, string, Parts, string[]]>([
    [
      'nothing of a target that holds the region',
      'function f() {\n// A\n1;\n// B\n}\n',
      { target: target('f') },
      [],
    ],
    [
      'that a target stands twice',
      'function f() {\n// A\n1;\n// B\n}\nfunction f() {}\n',
      { target: target('f') },
      ['target-missing a.ts: the function "f" is declared 2 times in the base, expected once'],
    ],
    [
      'that a target is not there',
      'function g() {\n// A\n1;\n// B\n}\n',
      { target: target('f') },
      ['target-missing a.ts: the function "f" is declared 0 times in the base, expected once'],
    ],
    [
      'that the region lies after the target',
      'function f() {}\nfunction g() {\n// A\n1;\n// B\n}\n',
      { target: target('f') },
      ['target-missing a.ts: no region lies inside the function "f"'],
    ],
    [
      'that the region lies before the target',
      'function g() {\n// A\n1;\n// B\n}\nfunction f() {}\n',
      { target: target('f') },
      ['target-missing a.ts: no region lies inside the function "f"'],
    ],
    [
      'nothing of a target in a file without a region',
      'function g() {\n// A\n1;\n// B\n}\n',
      { target: target('h', 'b.ts') },
      [],
    ],
    [
      'that a profile has no declarations',
      'function g() {\n// A\n1;\n// B\n}\n',
      { target: target('h', 'c.txt') },
      [
        'frame-unavailable c.txt: no declarations can be found in files of its profile (the function "h")',
      ],
    ],
  ])('%s', (_, source, parts, words) => {
    const files = { 'a.ts': source, 'b.ts': 'function h() {}\n', 'c.txt': '' };
    expect(lintWords(files, { editable: [region('a.ts')], ...parts })).toEqual(words);
  });

  test('that one region of two may hold the target', () => {
    const source = 'function f() {\n// A\n1;\n// B\n}\nfunction g() {\n// C\n1;\n// D\n}\n';
    const other = { file: 'a.ts', region: { start: '// C', end: '// D' } };
    const parts = { editable: [region('a.ts'), other] };
    expect(lintWords({ 'a.ts': source }, { ...parts, target: target('f') })).toEqual([]);
    expect(lintWords({ 'a.ts': source }, { ...parts, target: target('g') })).toEqual([]);
  });

  test('that the base itself does not meet a frame', () => {
    const [found] = lintWords(
      { 'a.ts': '/*\n// A\n1;\n// B\n*/\n' },
      { editable: [region('a.ts')] },
    );
    expect(found).toMatch(/^frame-unavailable a\.ts: the base does not meet it: ./u);
  });
});
