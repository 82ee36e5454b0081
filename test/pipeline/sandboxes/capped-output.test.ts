import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cappedOutput } from '../../../pipeline/sandboxes/host/capped-output.ts';

const joined = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks);

test('keeps head and tail of any pieces, and counts the rest', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 });
  fc.assert(
    fc.property(pieces, fc.nat(40), (chunks, max) => {
      const sink = cappedOutput(max);
      for (const chunk of chunks) sink.take(chunk);
      const whole = joined(chunks);
      const dropped = Math.max(0, whole.length - max);
      const [head, tail] = [Math.ceil(max / 2), Math.floor(max / 2)];
      const cut = joined([whole.subarray(0, head), whole.subarray(whole.length - tail)]);
      expect(sink.dropped()).toBe(dropped);
      expect(Buffer.from(sink.bytes())).toEqual(dropped === 0 ? whole : cut);
    }),
  );
});

test('takes a copy, since the giver may use its buffer again', () => {
  const chunk = Buffer.from('one');
  const sink = cappedOutput(2);
  sink.take(chunk);
  chunk.fill('x');
  expect(Buffer.from(sink.bytes()).toString()).toBe('oe');
});
