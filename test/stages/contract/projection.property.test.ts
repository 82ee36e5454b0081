import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportOn } from '../../support/contract-case.ts';
import { head, lruBase, lruContract, tail } from '../../support/lru-fixture.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const [before, after] = [encode(head), encode(tail)];
const body = fc.stringMatching(/^[a-z ]{0,20}$/).map((text) => (text === '' ? '' : `${text}\n`));

/** Change, remove or insert one byte at a place. */
const mutation = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('change', 'remove', 'insert'),
  byte: fc.integer({ min: 1, max: 255 }),
});

function mutated(
  bytes: Uint8Array,
  { at, how, byte }: { at: number; how: string; byte: number },
): Uint8Array {
  const place = at % bytes.length;
  const copy = [...bytes];
  if (how === 'change') copy[place] = ((copy[place] ?? 0) + byte) % 256;
  if (how === 'remove') copy.splice(place, 1);
  if (how === 'insert') copy.splice(place, 0, byte);
  return Uint8Array.from(copy);
}

const isSame = (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right) === 0;

test('a byte changed outside the editable region is always refused, whatever the body is', () => {
  fc.assert(
    fc.property(body, fc.boolean(), mutation, (text, inHead, change) => {
      const [first, last] = inHead
        ? [mutated(before, change), after]
        : [before, mutated(after, change)];
      const candidate = new Uint8Array(Buffer.concat([first, encode(text), last]));
      // A byte moved across the border may spell the same file with another body: then nothing protected changed.
      const border = Buffer.from(candidate);
      fc.pre(
        !(
          border.indexOf(before) === 0 &&
          isSame(border.subarray(border.length - after.length), after)
        ),
      );
      const report = reportOn(lruBase, { ...lruBase, 'src/lru.ts': candidate }, lruContract);
      expect(report).toMatchObject({ conforms: false, conjuncts: { projection: false } });
    }),
    { numRuns: 300 },
  );
});

const protectedPaths = Object.keys(lruBase).filter((path) => path !== 'src/lru.ts');

test('a protected file with any other content is always refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...protectedPaths), fc.string({ maxLength: 12 }), (path, text) => {
      const original = lruBase[path];
      const kind = Array.isArray(original) ? original[0] : 'file';
      const old = Array.isArray(original) ? original[1] : original;
      fc.pre(old !== text);
      const report = reportOn(lruBase, { ...lruBase, [path]: [kind, text] }, lruContract);
      expect(report.conforms).toBe(false);
    }),
    { numRuns: 150 },
  );
});
