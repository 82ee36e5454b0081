import { PassThrough } from 'node:stream';
import Docker from 'dockerode';
import { expect, test } from 'vitest';
import { demultiplex } from '../../../pipeline/sandboxes/docker/exec.ts';
import { cappedOutput } from '../../../pipeline/sandboxes/host/capped-output.ts';

const frame = (stream: 1 | 2, body: string): Buffer => {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(body), 4);
  return Buffer.concat([header, Buffer.from(body)]);
};

async function taken(chunks: readonly Buffer[]): Promise<readonly [string, string]> {
  const { modem } = new Docker({ socketPath: '/nowhere' });
  const sinks = { stdout: cappedOutput(1e6), stderr: cappedOutput(1e6) };
  const stream = new PassThrough();
  const end = demultiplex(modem, stream, sinks);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await end;
  const told = ({ bytes }: { bytes(): Uint8Array }) => Buffer.from(bytes()).toString();
  return [told(sinks.stdout), told(sinks.stderr)];
}

test('survives a piece of many tiny frames, which would end the stack of the library', async () => {
  const frames = Array.from({ length: 20_000 }, () => frame(1, 'x'));
  expect(await taken([Buffer.concat(frames)])).toEqual(['x'.repeat(20_000), '']);
});

test('joins frames and characters that arrive in single bytes', async () => {
  const bytes = Buffer.concat([frame(1, 'é1'), frame(2, 'ü2'), frame(1, '€3')]);
  const singles = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect(await taken(singles)).toEqual(['é1€3', 'ü2']);
});
