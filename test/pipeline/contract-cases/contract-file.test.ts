import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isContractProblem } from '../../../pipeline/contracts/contract-problem.ts';
import { parseContract } from '../../../pipeline/contracts/read-contract.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const head = `contract: 1\nid: case\nbase: {manifest: ${digest}}\n`;
const bytes = (text: string) => new TextEncoder().encode(text);

function codesOf(text: string | Uint8Array): string[] {
  try {
    parseContract(typeof text === 'string' ? bytes(text) : text, 'c.yaml');
    return [];
  } catch (error) {
    if (!isContractProblem(error)) throw error;
    return error.faults.map(({ code }) => code);
  }
}

test.each<[string, string, string]>([
  ['an anchor', `${head}delete: &a []\n`, 'contract.yaml-feature'],
  ['an alias', `${head}delete: &a [x]\ncreate: *a\n`, 'contract.yaml-feature'],
  ['a merge key', `${head}limits: {<<: {attempts: 2}}\n`, 'contract.yaml-feature'],
  ['a tag', `${head}delete: !!seq [x]\n`, 'contract.yaml-feature'],
  ['a duplicate key', `${head}id: other\n`, 'contract.duplicate-key'],
  ['a second document', `${head}---\ncontract: 1\n`, 'contract.yaml-feature'],
  ['a tab', `${head}limits:\n\tattempts: 2\n`, 'contract.syntax'],
  ['editable: null', `${head}editable: null\n`, 'contract.value'],
  ['a digest of 63 digits', head.replace('0000', '000'), 'contract.value'],
  ['a digest that YAML takes for a number', head.replace(digest, '12e4567'), 'contract.value'],
  ['a 1.1 directive', `%YAML 1.1\n---\n${head}`, 'contract.yaml-feature'],
  [
    'an alias bomb',
    `${head}a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n`,
    'contract.yaml-feature',
  ],
  ['broken YAML', `${head}delete: [\n`, 'contract.syntax'],
  ['an empty file', '', 'contract.value'],
  [
    'nesting without end',
    `${head}delete: ${'['.repeat(20)}${']'.repeat(20)}\n`,
    'contract.yaml-feature',
  ],
])('case A12: %s is a contract error', (_, text, code) => {
  expect(codesOf(text)).toContain(code);
});

test('case 90: a key that this version does not know is a contract error, with its place', () => {
  const text = `${head}editable:\n  - file: a.ts\n    whole_file: true\n    anything: 1\n`;
  expect(() => parseContract(bytes(text), 'c.yaml')).toThrow(
    'contract.unknown-key at c.yaml:7:15 editable[0].anything',
  );
});

describe('a file that is no contract', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['another version', head.replace('contract: 1', 'contract: 2'), 'contract.version'],
    ['no version', 'id: x\n', 'contract.version'],
    ['bytes that are not UTF-8', Uint8Array.from([0xff, 0x0a]), 'contract.syntax'],
    ['a byte order mark', `\ufeff${head}`, 'contract.syntax'],
    ['more than 256 KiB', `${head}#${'x'.repeat(256 * 1024)}\n`, 'contract.too-large'],
    [
      'an unknown profile',
      `${head}editable: [{file: a.ts, profile: cobol, whole_file: true}]\n`,
      'contract.value',
    ],
    [
      'a path that climbs',
      `${head}editable: [{file: ../a.ts, whole_file: true}]\n`,
      'contract.path',
    ],
    ['a glob that climbs', `${head}create: [{glob: "src/../*.ts"}]\n`, 'contract.path'],
    ['a discard glob from the root', head.replace('}', ', discard: ["/tmp/**"]}'), 'contract.path'],
    ['a glob into a repository', `${head}visible: {include: ["{a,.git}/**"]}\n`, 'contract.path'],
    ['half a surrogate pair', `${head}delete: ["a\\ud800"]\n`, 'contract.path'],
    ['a key that is a list', `${head}? [a]\n: b\n`, 'contract.yaml-feature'],
    ['a prototype key', `${head}__proto__: {order: measure}\n`, 'contract.unknown-key'],
    ['a repository path', `${head}delete: [.git/config]\n`, 'contract.path'],
    ['an unknown word', `${head}order: later\n`, 'contract.value'],
    [
      'region and whole file',
      `${head}editable: [{file: a.ts, whole_file: true, region: {start: A, end: B}}]\n`,
      'contract.value',
    ],
    ['neither', `${head}editable: [{file: a.ts}]\n`, 'contract.value'],
    ['too many attempts', `${head}limits: {attempts: 99}\n`, 'contract.value'],
    ['a scalar', 'contract\n', 'contract.value'],
  ])('%s', (_, text, code) => expect(codesOf(text)).toContain(code));

  test('arbitrary bytes are a contract problem or a contract, and nothing else', () => {
    const text = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ maxLength: 200 }).map(bytes),
      fc
        .array(
          fc.constantFrom(
            'contract',
            ': ',
            '1',
            '\n',
            '- ',
            '{',
            '}',
            '[',
            ']',
            '&a',
            '*a',
            '!x',
            '|',
            '>',
            '"',
            '#',
            '%',
            '---\n',
            '? ',
            '  ',
            'base',
          ),
          { maxLength: 40 },
        )
        .map((parts) => bytes(parts.join(''))),
    );
    fc.assert(
      fc.property(text, (input) => {
        codesOf(input);
      }),
      { numRuns: 300 },
    );
  });
});
