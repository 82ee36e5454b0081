import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { demultiplex } from '../../../pipeline/sandboxes/docker/frames.ts';
import { cappedOutput } from '../../../pipeline/sandboxes/host/capped-output.ts';

const frame = (stream: 1 | 2, body: string): Buffer => {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(body), 4);
  return Buffer.concat([header, Buffer.from(body)]);
};

type End = (stream: PassThrough) => unknown;
const inOrder: End = (stream) => stream.end();

async function taken(chunks: readonly Buffer[], end: End = inOrder) {
  const sinks = { stdout: cappedOutput(1e6), stderr: cappedOutput(1e6) };
  const stream = new PassThrough();
  const whole = demultiplex(stream, sinks);
  for (const chunk of chunks) stream.write(chunk);
  end(stream);
  const isWhole = await whole;
  const told = ({ bytes }: { bytes(): Uint8Array }) => Buffer.from(bytes()).toString();
  return [told(sinks.stdout), told(sinks.stderr), isWhole];
}

test('takes a piece of many tiny frames apart', async () => {
  const frames = Array.from({ length: 200_000 }, () => frame(1, 'x'));
  expect(await taken([Buffer.concat(frames)])).toEqual(['x'.repeat(200_000), '', true]);
});

test('joins frames and characters that arrive in single bytes', async () => {
  const bytes = Buffer.concat([frame(1, 'é1'), frame(2, ''), frame(2, 'ü2'), frame(1, '€3')]);
  const singles = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect(await taken(singles)).toEqual(['é1€3', 'ü2', true]);
});

test('gives the same at every place where one piece ends and the next begins', async () => {
  const bytes = Buffer.concat([frame(1, 'one'), frame(2, 'two'), frame(1, ''), frame(1, 'three')]);
  for (let at = 0; at <= bytes.length; at += 1) {
    const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
    expect(await taken(pieces), String(at)).toEqual(['onethree', 'two', true]);
  }
});

test.each<readonly [string, readonly Buffer[], End]>([
  ['a frame that its stream does not bring to an end', [frame(1, 'long').subarray(0, 10)], inOrder],
  ['a header without its frame', [frame(1, 'a'), frame(1, 'b').subarray(0, 5)], inOrder],
  ['a connection that breaks', [frame(1, 'a')], (stream) => stream.destroy(new Error('reset'))],
  ['a connection that closes without an end', [frame(1, 'a')], (stream) => stream.destroy()],
])('never takes for whole %s', async (_name, chunks, end) => {
  expect((await taken(chunks, end))[2]).toBe(false);
});
