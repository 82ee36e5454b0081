/** @module-tag bwrap */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hostEnvironment } from '../../pipeline/env.ts';
import { countedStory } from '../support/killed-runs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const source = (path: string) => new URL(`../../pipeline/${path}`, import.meta.url).pathname;

/** A shell in which one folder is a disk of its own, of `bytes`; everything else is as it was. */
async function onSmallDisk(bytes: number, script: string, small: string, env: object = {}) {
  mkdirSync(small, { recursive: true });
  const disk = ['--size', String(bytes), '--tmpfs', small];
  const argv = ['--dev-bind', '/', '/', ...disk, 'sh', '-c', script, process.execPath];
  const { stdout, stderr } = await promisify(execFile)('bwrap', argv, {
    env: { ...hostEnvironment(), ...env },
    maxBuffer: 10_000_000,
  });
  return { stdout, stderr };
}

const IN_BOX = `
  const { processSandbox } = await import(${JSON.stringify(source('sandboxes/process.ts'))});
  const { chooseSandbox } = await import(${JSON.stringify(source('sandboxes/choose.ts'))});
  const { readdirSync, statfsSync } = await import('node:fs');
  const options = { run: 'full', cache: process.env.TMPDIR + '/cache', host: {} };
  const free = () => statfsSync(process.env.TMPDIR).bavail;
  const told = (work) => work.then(() => 'no fault', ({ code, message }) => code + ': ' + message);
  const spec = { environment: 1, language: 'javascript', runner: 'node-test', testFiles: ['t'], sourceFiles: ['s'],
    install: [], env: {}, paths: [], args: [], timeoutS: 60, image: null };
  const { signal } = new AbortController();
  const sandbox = processSandbox(options);
  const { environment } = await sandbox.prepare(spec, [], signal);
  const before = free();
  const big = { path: 'big', kind: 'file', bytes: new Uint8Array(8_000_000) };
  const said = { choose: await told(chooseSandbox('process', options)) };
  said.write = await told(sandbox.use(environment, signal, (box) => box.write([big])));
  await sandbox.use(environment, signal, async (box) => {
    const exit = await box.exec(['sh', '-c', 'head -c 8000000 /dev/zero > big'], { timeoutMs: 20_000 }, signal);
    said.command = exit.code;
    said.next = await told(box.write([big]));
  });
  said.left = readdirSync(process.env.TMPDIR).filter((name) => name.startsWith('csw-box'));
  said.back = before - free();
  console.log(JSON.stringify(said));
`;

test('a full disk under the boxes is a fault of ours and data of a command, and the space comes back', async () => {
  const small = join(tempFolder(), 'small');
  const script = '"$0" --input-type=module -e "$CODE"';
  const env = { TMPDIR: small, CODE: IN_BOX };
  const { stdout } = await onSmallDisk(4 * 1024 ** 2, script, small, env);
  const remedy =
    /no space left on the disk\. Free some, or set TMPDIR and --out to a larger one\.$/;
  expect(JSON.parse(stdout)).toEqual({
    choose: expect.stringMatching(
      /^disk-full: process sandbox failed to start: \d MB free in .*, 256 MB needed\. Free some first\.$/,
    ),
    write: expect.stringMatching(new RegExp(`^disk-full: .*${remedy.source}`)),
    command: expect.not.toSatisfy((code: unknown) => code === 0 || code === null),
    next: expect.stringMatching(new RegExp(`^disk-full: .*${remedy.source}`)),
    left: [],
    back: 0,
  });
});

test('a disk that fills under a run ends it with its remedy, and the same command goes on when there is room', {
  timeout: 300_000,
}, async () => {
  const story = await countedStory();
  const small = join(story.folder, 'small');
  const run = `"$0" ${source('cli.ts')} run pack:${join(story.folder, 'till')} --out ${small}/out`;
  const fill = `mkdir ${small}/out; head -c 16600000 /dev/zero > ${small}/filler`;
  const script = `cd ${story.folder}; ${fill}; ${run} >&2; echo first $?; rm ${small}/filler; ${run} >&2; echo second $?; ls ${small}/out/main/release/SHA256SUMS`;
  const { stdout, stderr } = await onSmallDisk(16 * 1024 ** 2, script, small, {
    TMPDIR: story.boxes,
    HOME: story.folder,
  });
  expect(stderr).toMatch(/no space left|disk is full|database or disk is full/i);
  expect(stdout, stderr).toMatch(/^first 75\nsecond 0\n/);
  expect(stdout).toContain('SHA256SUMS');
});
