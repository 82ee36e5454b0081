import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameCases } from '../../../../stages/test-reports/formats/name-cases.ts';
import type { Case } from '../../../../stages/test-reports/formats/reading.ts';
import { normaliseId } from '../../../../stages/test-reports/id.ts';

const here = { root: '/work/tree', package: null };
const numbered = { between: ' > ', repeats: 'number' } as const;
const told = (titles: string[], parts: Partial<Case> = {}): Case => ({
  file: '',
  titles,
  line: null,
  status: 'passed',
  message: null,
  ...parts,
});
const idsOf = (...titles: string[]) =>
  nameCases(
    titles.map((title) => told([title])),
    here,
    numbered,
  ).map(({ id }) => id);

test('a name that comes again is counted, past names that look counted already', () => {
  expect(idsOf('a', 'a #2', 'a', 'a')).toEqual(['a', 'a #2', 'a #3', 'a #4']);
});

test('names that differ in what no id holds are the same name', () => {
  expect(idsOf('waits (12 ms)', '\u001b[31mwaits\u001b[0m (3 s)', 'wai\u0074s ')).toEqual([
    'waits',
    'waits #2',
    'waits #3',
  ]);
  expect(idsOf('cafe\u0301', 'caf\u00e9')).toEqual(['caf\u00e9', 'caf\u00e9 #2']);
  expect(idsOf('reads /tmp/x-81723/a.txt (twice)')).toEqual(['reads <tmp> (twice)']);
  expect(idsOf('at 0x7ffe12345678')).toEqual(['at 0x']);
});

test('the place of the tree is no part of an id, a file or a message', () => {
  const one = told(['reads /work/tree/data.txt'], {
    file: 'file:///work/tree/test/a.test.js',
    status: 'failed',
    message: '\u001b[31mENOENT\u001b[0m /work/tree/data.txt\n  after 12 ms in /tmp/abc/def',
  });
  expect(nameCases([one], here, numbered)).toEqual([
    {
      id: 'test/a.test.js > reads data.txt',
      file: 'test/a.test.js',
      line: null,
      status: 'failed',
      message: 'ENOENT data.txt after <time> in <tmp>',
    },
  ]);
});

test('in a monorepo the package stands before the id', () => {
  const [result] = nameCases([told(['t'])], { ...here, package: 'packages/a' }, numbered);
  expect(result?.id).toBe('packages/a > t');
});

test('a test without a name has an id all the same', () => {
  expect(idsOf('', ' \n')).toEqual(['(no name)', '(no name) #2']);
});

test('a message does not tell the number of a thread', () => {
  const message = "thread 'tests::a' (1178) panicked at src/lib.rs:26:9";
  expect(nameCases([told(['t'], { status: 'failed', message })], here, numbered)).toMatchObject([
    { message: "thread 'tests::a' panicked at src/lib.rs:26:9" },
  ]);
});

test('a message is cut by characters and says nothing where all is well', () => {
  const [result] = nameCases(
    [told(['t'], { status: 'failed', message: '\u{1f600}'.repeat(900) })],
    here,
    numbered,
  );
  expect(result?.message).toBe('\u{1f600}'.repeat(300));
  expect(nameCases([told(['t'], { message: 'fine' })], here, numbered)[0]?.message).toBeNull();
});

test('one test told twice is as bad as the worse, and tried again if it passed twice', () => {
  const same = { between: '::', repeats: 'same-test' } as const;
  const both = (a: Case['status'], b: Case['status']) =>
    nameCases([told(['t'], { status: a }), told(['t'], { status: b })], here, same);
  expect(both('passed', 'error')).toMatchObject([{ id: 't', status: 'error' }]);
  expect(both('failed', 'error')).toMatchObject([{ id: 't', status: 'failed' }]);
  expect(both('error', 'failed')).toMatchObject([{ id: 't', status: 'failed' }]);
  expect(both('passed', 'passed')).toMatchObject([{ id: 't', status: 'flaky' }]);
  expect(both('skipped', 'passed')).toMatchObject([{ id: 't', status: 'skipped' }]);
});

test('a name of any length has an id, without waiting for it', () => {
  const [id = ''] = idsOf(`${' (1 ms)'.repeat(300_000)} x`);
  expect(id.length).toBeLessThanOrEqual(5000);
});

test('a path that only ends like that of the tree is another', () => {
  expect(idsOf('GET api/work/tree/1', 'reads "/work/tree/a"')).toEqual([
    'GET api/work/tree/1',
    'reads "a"',
  ]);
});

test('whatever the titles are, every test has its own id and keeps it when read again', () => {
  const piece = fc.constantFrom(
    'a',
    ' #2',
    ' #3',
    ' > ',
    ' (1 ms)',
    '\u001b[1m',
    '\u0301',
    '/tmp/x',
    '::',
  );
  const title = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(piece, { maxLength: 5 }).map((all) => all.join('')),
  );
  const titles = fc.array(fc.array(title, { maxLength: 3 }), { maxLength: 30 });
  fc.assert(
    fc.property(titles, (all) => {
      const ids = nameCases(
        all.map((one) => told(one)),
        here,
        numbered,
      ).map(({ id }) => id);
      return (
        new Set(ids).size === all.length && ids.every((id) => id !== '' && normaliseId(id) === id)
      );
    }),
  );
});
