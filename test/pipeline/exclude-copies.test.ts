import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { excludeCopies } from '../../pipeline/exclude-copies.ts';
import { knownTasks } from '../../pipeline/known-tasks.ts';
import type { OpenLedger } from '../../pipeline/ledger/open.ts';
import { RunConfig } from '../../schemas/run-config.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { keepTree } from '../support/test-run.ts';

type Given = {
  readonly statement: string;
  readonly gold: string;
  readonly head?: string;
  readonly thread?: number;
};

const statement = (what: string) =>
  `The bucket must ${what} before it answers. A caller that asks for more than is left gets nothing, and is told how long to wait.`;
const gold = (name: string) =>
  Array.from(
    { length: 30 },
    (_, at) => `export const ${name}${at} = (count) => count + ${at};`,
  ).join('\n');

/** A ledger of proved tasks, by record, and what was excluded of them. */
function proved(tasks: Readonly<Record<string, Given>>) {
  const store = memoryLedger();
  const excluded: Record<string, string> = {};
  const states = new Map(
    Object.entries(tasks).map(
      ([record, { statement: text, gold: code, head = 'a1b2c3d', thread = 1 }]) => {
        const before = keepTree(store, { 'src/a.ts': 'export {};\n' });
        const after = keepTree(store, { 'src/a.ts': `export {};\n${code}\n` });
        const facts = {
          source: { url: 'https://github.com/ada/engine.git', origin: 'x' },
          seeds: [{ change: { head, base: '0'.repeat(40) }, threads: [thread] }],
          task: { statement: text, gold: [{ before, after }] },
          instance: {},
        };
        return [record, facts];
      },
    ),
  );
  const ledger = {
    ...store,
    records: () => [...states.keys()],
    fold: (record: string) => ({
      facts: states.get(record),
      rejection: null,
      excluded: excluded[record] ?? null,
      next: 'solve',
    }),
    note: ({ record, body }: { record: string; body: { reason: string } }) => {
      excluded[record] = body.reason;
    },
  } as unknown as OpenLedger;
  return { ledger, excluded };
}

test('a task that says and does the same as one before it is a duplicate, with how much they share', () => {
  const { ledger, excluded } = proved({
    b: { statement: statement('count its tokens'), gold: gold('take') },
    a: {
      statement: statement('count its tokens'),
      gold: `${gold('take')}\nexport const more = 1;`,
    },
    other: { statement: statement('count its tokens'), gold: gold('refund') },
    words: {
      statement: 'Refunds go to whoever paid them, once, and never twice in a day.',
      gold: gold('take'),
    },
  });
  expect(excludeCopies(ledger, [])).toBe(1);
  expect(excluded).toEqual({
    b: expect.stringMatching(/^duplicate: of a, statement 1\.00, change 0\.\d\d$/u),
  });
  expect(excludeCopies(ledger, [])).toBe(0);
});

function listOf(...lines: string[]): string {
  const file = join(tempFolder(), 'known.jsonl');
  writeFileSync(file, lines.join('\n'));
  return file;
}
const configOf = (known: string) => RunConfig.parse({ run: 'x', synthesize: { known } });

test('a task of a listed commit or issue is contaminated, by any length of the hash and in any case', () => {
  const one = { statement: statement('count'), gold: gold('one'), head: 'abcdef0123456789' };
  const two = { statement: statement('wait'), gold: gold('two'), thread: 12 };
  const free = { statement: statement('rest'), gold: gold('free'), head: 'fedcba', thread: 3 };
  const { ledger, excluded } = proved({ one, two, free });
  const file = listOf(
    '{"repo": "Ada/Engine", "commit": "abcdef0", "benchmark": "bench-one"}',
    '{"repo": "ada/engine", "issue": 12}',
    '{"repo": "else/where", "commit": "fedcba0"}',
    '',
  );
  expect(excludeCopies(ledger, knownTasks(configOf(file)))).toBe(2);
  expect(excluded).toEqual({
    one: 'contaminated: Ada/Engine abcdef0 is in bench-one',
    two: 'contaminated: ada/engine #12 is in the list of known tasks',
  });
});

test.each([
  ['not json', /known\.jsonl:2\)/],
  ['{"repo": "ada/engine"}', /known\.jsonl:2\)/],
  ['{"repo": "engine", "issue": 1}', /--known: expected \{"repo": "owner\/name"/],
])('a list with the line %s is refused with its number', (line, message) => {
  const file = listOf('{"repo": "ada/engine", "issue": 1}', line);
  expect(() => knownTasks(configOf(file))).toThrow(message);
});

test('a list that is not there is refused', () => {
  expect(() => knownTasks(configOf('/nowhere/known.jsonl'))).toThrow(/--known: expected a file/);
});
