import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { verifyRelease } from '../../../pipeline/release/verify-release.ts';
import { writeRelease } from '../../../pipeline/release/write-release.ts';
import { releaseFiles } from '../../support/release.ts';
import { buildStory } from '../../support/story.ts';

const scratch = mkdtempSync(join(tmpdir(), 'release-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const { input } = await buildStory(scratch);
const files = releaseFiles([input]);
const folder = join(scratch, 'release');
const harbor = 'harbor/acme-limiter.1';
let sums = '';
beforeEach(() => {
  sums = writeRelease({ folder, files });
});

/** Change one file and put its new sum in the list, so that only what it says is wrong. */
function forge(path: string, text: string): void {
  const kept = files.filter((file) => file.path !== path);
  writeRelease({ folder, files: [...kept, { path, bytes: Buffer.from(text) }] });
}

test('a release is sound, and written again it is the same bytes', () => {
  expect(verifyRelease(folder)).toEqual([]);
  expect(writeRelease({ folder, files: files.toReversed() })).toBe(sums);
  expect([existsSync(`${folder}.new`), existsSync(`${folder}.old`)]).toEqual([false, false]);
});

test('sha256sum reads the list', () => {
  const check = 'sha256sum -c --strict --quiet SHA256SUMS';
  const output = execFileSync('bash', ['-c', check], { cwd: folder });
  expect(output.toString()).toBe('');
});

test('scripts keep their mode whatever the umask', () => {
  expect(statSync(join(folder, harbor, 'tests/test.sh')).mode & 0o777).toBe(0o755);
  expect(statSync(join(folder, harbor, 'task.toml')).mode & 0o777).toBe(0o644);
});

test.each(files.filter((_, at) => at % 5 === 0).map(({ path }) => path))(
  'one flipped byte in %s is named',
  (path) => {
    const bytes = readFileSync(join(folder, path));
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(folder, path), bytes);
    expect(verifyRelease(folder)).toEqual([{ path, problem: 'has other bytes than listed' }]);
  },
);

test('a missing file and a stranger are named', () => {
  rmSync(join(folder, 'README.md'));
  writeFileSync(join(folder, 'extra'), '');
  expect(verifyRelease(folder)).toEqual([
    { path: 'README.md', problem: 'is listed and missing' },
    { path: 'extra', problem: 'is not listed' },
  ]);
});

test.each([
  ['data/test.jsonl', '{"schema":"csw-bench/1"}\n', 'line 1: instance_id'],
  ['data/test.jsonl', '{"a":"é"}\n', 'byte 6 is not printable ASCII'],
  ['swebench/data.jsonl', '{}', 'does not end its last line'],
  [`${harbor}/tests/test.sh`, 'if true; then\n', 'bash cannot parse it'],
  [`${harbor}/environment/base.tar`, 'other', 'is not the base of the lock'],
  [`${harbor}/tests/hidden/test/rules.test.mjs`, '', 'is not the hidden test'],
  [`${harbor}/task.toml`, 'schema_version = "1.3"\n', 'schema_version'],
])('a release with a wrong %s is named', (path, text, problem) => {
  forge(path, text);
  const [first] = verifyRelease(folder);
  expect(first?.path).toBe(path);
  expect(first?.problem).toContain(problem);
});

test('a Harbor folder that lacks a part is named', () => {
  const kept = files.filter(({ path }) => path !== `${harbor}/tests/lock.json`);
  writeRelease({ folder, files: kept });
  expect(verifyRelease(folder)).toEqual([{ path: harbor, problem: 'lacks tests/lock.json' }]);
});

test.each(['../out', '/etc/x', 'a//b', 'a\nb', 'SHA256SUMS'])('the path %j is refused', (path) => {
  const file = { path, bytes: new Uint8Array() };
  expect(() => writeRelease({ folder, files: [file] })).toThrow(JSON.stringify(path));
  expect(verifyRelease(folder)).toEqual([]);
});

test('a folder that cannot be written is a fault that says what to do', () => {
  const place = join(scratch, 'file');
  writeFileSync(place, '');
  expect(() => writeRelease({ folder: join(place, 'release'), files })).toThrow();
});
