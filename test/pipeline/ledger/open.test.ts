import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../../pipeline/ledger/open.ts';
import { verifySeal } from '../../../pipeline/ledger/seal.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'ledger-')), 'run');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const openModule = JSON.stringify(new URL('../../../pipeline/ledger/open.ts', import.meta.url));
const clock = { now: () => 1_700_000_000_000 };
const write = () => openLedger({ folder, mode: 'write', clock });
const read = () => openLedger({ folder, mode: 'read', clock });
const bytes = (text: string) => new TextEncoder().encode(text);
const mined = (key: string, body: unknown = { seeds: 1 }) =>
  ({ kind: 'source-mined', record: null, key, body }) as const;

test('what is noted and put is found again in another opening', () => {
  const ledger = write();
  const digest = ledger.put(bytes('hello'));
  ledger.note(mined('a', { b: 1, a: [true, null, 'ü'] }));
  ledger.close();
  const again = read();
  expect(again.find('source-mined', 'a')).toEqual({ b: 1, a: [true, null, 'ü'] });
  expect(again.find('source-mined', 'b')).toBeNull();
  expect(new TextDecoder().decode(again.get(digest))).toBe('hello');
  again.close();
});

test('a second line of the same kind and key is not written', () => {
  const ledger = write();
  ledger.note(mined('a', { first: true }));
  ledger.note(mined('a', { first: false }));
  ledger.note({ ...mined('a'), kind: 'run-started' });
  expect(ledger.events().map(({ kind, body }) => [kind, body])).toEqual([
    ['source-mined', { first: true }],
    ['run-started', { seeds: 1 }],
  ]);
  ledger.close();
});

test('lines are listed by kind and by record', () => {
  const ledger = write();
  ledger.note(mined('a'));
  ledger.note({ kind: 'record-opened', record: 'r1', key: 'r1', body: { facts: {} } });
  ledger.note({ kind: 'record-opened', record: 'r2', key: 'r2', body: { facts: {} } });
  expect(ledger.events('record-opened').map(({ key }) => key)).toEqual(['r1', 'r2']);
  expect(ledger.events(null, 'r2').map(({ key }) => key)).toEqual(['r2']);
  expect(ledger.records()).toEqual(['r1', 'r2']);
  ledger.close();
});

test('keys of a body keep their order, or a resumed run would print other bytes', () => {
  const ledger = write();
  ledger.note(mined('a', { z: 1, a: 2 }));
  expect(JSON.stringify(ledger.find('source-mined', 'a'))).toBe('{"z":1,"a":2}');
  ledger.close();
});

test.each([[Number.NaN], [() => 1], [{ usd: Number.POSITIVE_INFINITY }]])(
  'a body of %o is refused, since JSON would make it another value',
  (body) => {
    const ledger = write();
    expect(() => ledger.note(mined('a', body))).toThrow(TypeError);
    ledger.close();
  },
);

test('a reader sees what a living writer has noted so far', () => {
  const ledger = write();
  ledger.note(mined('a'));
  const beside = read();
  expect(beside.events()).toHaveLength(1);
  ledger.note(mined('b'));
  expect(beside.events()).toHaveLength(2);
  beside.close();
  ledger.close();
  expect(verifySeal(folder)).toEqual([]);
});

test('reading a closed run leaves no file behind and its seal whole', () => {
  const ledger = write();
  ledger.note(mined('a'));
  ledger.close();
  const before = readdirSync(folder);
  read().close();
  expect(readdirSync(folder)).toEqual(before);
});

test('a folder without a run is named when it is read', () => {
  expect(read).toThrow(/holds no ledger\.sqlite/);
});

test('a changed line is named by its number when the ledger is opened', () => {
  const ledger = write();
  for (const key of ['a', 'b', 'c']) ledger.note(mined(key));
  ledger.close();
  const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
  database.exec(`update events set body = '{"seeds":2}' where key = 'b'`);
  database.close();
  expect(write).toThrow(/line 2 \(source-mined b\)/);
});

test('a ledger of a newer program is refused with both versions', () => {
  write().close();
  const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
  database.exec('pragma user_version = 99');
  database.close();
  expect(write).toThrow(/has version 99, this program knows up to 1/);
  expect(read).toThrow(/has version 99/);
});

test('a file that is no database is a fault, not a bug', () => {
  write().close();
  writeFileSync(join(folder, 'ledger.sqlite'), 'x'.repeat(4096));
  expect(write).toThrow(expect.objectContaining({ code: 'ledger-damaged' }));
});

describe('the one writer', () => {
  test('a second opening names the process that writes', () => {
    const ledger = write();
    expect(write).toThrow(expect.objectContaining({ code: 'ledger-busy' }));
    expect(write).toThrow(new RegExp(`process ${process.pid} is writing`));
    ledger.close();
    write().close();
  });

  test.each([
    ['of a pid that is gone', '{"pid":4194303,"started":"1"}'],
    ['of a pid that came again', `{"pid":${process.pid},"started":"1"}`],
    ['that is cut', '{"pid":'],
  ])('a lock %s is taken over', (_case, text) => {
    write().close();
    writeFileSync(join(folder, 'writer.lock'), text);
    write().close();
  });

  test('a killed writer leaves a run that is unsealed, readable and open to the next', async () => {
    const script = `
      const { openLedger } = await import(${openModule});
      const ledger = openLedger({ folder: ${JSON.stringify(folder)}, mode: 'write', clock: Date });
      ledger.note({ kind: 'source-mined', record: null, key: 'a', body: 1 });
      console.log('noted');
      setInterval(() => {}, 1000);`;
    const child = spawn('node', ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(write).toThrow(new RegExp(`process ${child.pid} is writing`));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(() => verifySeal(folder)).toThrow(expect.objectContaining({ code: 'ledger-unsealed' }));
    const beside = read();
    expect(beside.find('source-mined', 'a')).toBe(1);
    beside.close();
    const ledger = write();
    expect(ledger.find('source-mined', 'a')).toBe(1);
    ledger.close();
    expect(verifySeal(folder)).toEqual([]);
  });

  test('of four that start together exactly one gets in', async () => {
    const script = `
      const { openLedger } = await import(${openModule});
      console.log('ready');
      process.stdin.once('data', () => {
        try {
          openLedger({ folder: ${JSON.stringify(folder)}, mode: 'write', clock: Date });
          console.log('in');
        } catch (error) { console.log(error.code); }
      });`;
    const children = [1, 2, 3, 4].map(() => spawn('node', ['--input-type=module', '-e', script]));
    const word = (child: (typeof children)[number]) =>
      new Promise<string>((resolve) =>
        child.stdout.once('data', (text) => resolve(`${text}`.trim())),
      );
    await Promise.all(children.map(word));
    const answers = children.map(word);
    for (const child of children) child.stdin.write('go\n');
    expect((await Promise.all(answers)).toSorted()).toEqual([
      'in',
      ...Array.from({ length: 3 }, () => 'ledger-busy'),
    ]);
    await Promise.all(
      children.map((child) => {
        child.stdin.end();
        return new Promise((resolve) => child.once('exit', resolve));
      }),
    );
  });
});

test('an out folder without write permission is a fault that says what to do', () => {
  const out = join(folder, '..');
  chmodSync(out, 0o500);
  const script = `
    const { openLedger } = await import(${openModule});
    process.setuid?.(65534);
    try { openLedger({ folder: ${JSON.stringify(folder)}, mode: 'write', clock: Date }); }
    catch (error) { console.log(error.code + ': ' + error.message); }`;
  const said = execFileSync('node', ['--input-type=module', '-e', script], { encoding: 'utf8' });
  chmodSync(out, 0o700);
  expect(said).toMatch(/^out-not-writable: Opening the ledger in .*Give write permission there/);
});

test('a blob is kept once and read with its check', () => {
  const ledger = write();
  const digest = ledger.put(bytes('x'));
  expect(ledger.put(bytes('x'))).toBe(digest);
  const path = join(folder, 'blobs', digest.slice(0, 2), digest.slice(2));
  expect(readFileSync(path, 'utf8')).toBe('x');
  writeFileSync(path, 'y');
  expect(() => ledger.get(digest)).toThrow(expect.objectContaining({ code: 'blob-damaged' }));
  rmSync(path);
  expect(() => ledger.get(digest)).toThrow(expect.objectContaining({ code: 'blob-missing' }));
  ledger.close();
});
