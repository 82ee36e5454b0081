import { expect, test } from 'vitest';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import type { contractFor, Files } from '../../support/contract-case.ts';
import { lint } from '../../support/lint-case.ts';

const region = (from: string, to: string) => ({ file: 'a.ts', region: { start: from, end: to } });
const text = '// A\n1\n// B\n2\n// C\n';
const two: Files = { 'a.ts': text };
const inComment = {
  file: 'a.ts',
  region: {
    bytes: [8, 9] as [number, number],
    prefix: `sha256:${sha256(text.slice(0, 8))}`,
    suffix: `sha256:${sha256(text.slice(9))}`,
  },
};
const target = { declarations: [{ file: 'a.ts', kind: 'function', name: 'f' }] };

test.each<[string, Files, Parameters<typeof contractFor>[1], string]>([
  [
    'a profile without a lexer and no word on frames',
    { 'a.txt': '// A\n1\n// B\n' },
    { editable: [{ ...region('// A', '// B'), file: 'a.txt' }] },
    'contract.frame-unavailable',
  ],
  [
    'a frame that the profile does not have',
    { 'a.go': '// A\n\n// B\n' },
    { editable: [{ ...region('// A', '// B'), file: 'a.go', frame: ['syntactic'] }] },
    'contract.frame-unavailable',
  ],
  [
    'a region kind that the profile does not have',
    two,
    { editable: [{ ...region('// A', '// B'), region_kind: 'proof-script' }] },
    'contract.frame-unavailable',
  ],
  [
    'a target that stands twice',
    { 'a.ts': '// A\n// B\nfunction f() {}\nfunction f() {}\n' },
    { editable: [region('// A', '// B')], target },
    'contract.target-missing',
  ],
  [
    'a target that is not there',
    { 'a.ts': '// A\n// B\n' },
    { editable: [region('// A', '// B')], target },
    'contract.target-missing',
  ],
  [
    'a region outside the target of its file',
    { 'a.ts': 'function f() {}\n// A\n// B\n' },
    { editable: [region('// A', '// B')], target },
    'contract.target-missing',
  ],
])('%s is a contract error', (_, files, parts, code) => {
  expect(lint(files, parts)).toContain(code);
});

test('a region that cuts a comment in two cannot be held by a frame', () => {
  expect(lint(two, { editable: [inComment] })).toContain('contract.frame-unavailable');
});

test('without a lexer a contract may go on when it says so', () => {
  const entry = { ...region('// A', '// B'), file: 'a.txt', frame: [] };
  expect(lint({ 'a.txt': '// A\n1\n// B\n' }, { editable: [entry] })).toEqual([]);
});
