/** @module-tag slow */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import type { ProfileName } from '../../../schemas/contract.ts';
import { packs } from '../../../stages/contract/packs/registry.ts';
import type { FrameInput } from '../../../stages/contract/profiles/profile.ts';
import { profileOf } from '../../../stages/contract/profiles/registry.ts';
import { hitsOf } from '../../../stages/contract/rules.ts';
import { scannerOf } from '../../../stages/contract/scanners/registry.ts';
import { longer } from '../../support/fuzz.ts';

const parse = await openParse();

const profiles: readonly [ProfileName, string][] = [
  ['typescript', 'a.ts'],
  ['typescript', 'a.tsx'],
  ['typescript', 'a.js'],
  ['python', 'a.py'],
  ['isabelle', 'A.thy'],
  ['rocq', 'a.v'],
  ['lean4', 'a.lean'],
  ['go', 'a.go'],
  ['rust', 'a.rs'],
  ['java', 'A.java'],
  ['kotlin', 'a.kt'],
  ['c', 'a.c'],
];

/** Texts made of what scanners trip over, and arbitrary ones. */
const sharp = [
  ...[
    '/*',
    '*/',
    '//',
    '(*',
    '*)',
    '/-',
    '-/',
    '--',
    '#',
    '"',
    "'",
    '`',
    '"""',
    "'''",
    '\\',
    '\\<open>',
    '\\<close>',
    '\\<^sub>',
  ],
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '${',
    '.',
    '. ',
    '\n',
    '\r\n',
    '\t',
    ' ',
    ':',
    ';',
    'a',
    'if',
    'def',
    'class',
    'f"',
    'r#"',
    '@',
    '[[',
    '\u0000',
    '\u2028',
    '\ud800',
    'é',
    '😀',
  ],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...sharp), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 80, unit: 'binary' }),
);
const bytes = fc.oneof(
  text.map((value) => new TextEncoder().encode(value)),
  fc.uint8Array({ maxLength: 80 }),
);
const runs = { numRuns: longer(120) };

/** Everything between two ends of a file as one region, in both files. */
function inputOf(path: string, base: Uint8Array, body: Uint8Array): FrameInput {
  const [from, to] = [Math.floor(base.length / 3), Math.floor((2 * base.length) / 3)];
  const candidate = new Uint8Array([...base.subarray(0, from), ...body, ...base.subarray(to)]);
  const region = {
    id: 'r1',
    kind: 'any' as const,
    base: { start: from, end: to },
    candidate: { start: from, end: from + body.length },
  };
  return { path, base, candidate, regions: [region], parse };
}

/** A frame either answers or refuses with a reason; anything else is a fault of ours. */
function answers(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(String(error)).toMatch(/not UTF-8|at most \d+ are parsed/);
  }
}

describe.each(profiles)('profile %s on %s', (name, path) => {
  const profile = profileOf(path, name);

  test('its scanner never throws and every token stands where it says', () => {
    const scan = scannerOf(name)?.scan;
    fc.assert(
      fc.property(text, (value) => {
        const { spans, tokens, comments } = scan?.(value) ?? {
          spans: [],
          tokens: [],
          comments: [],
        };
        let end = 0;
        for (const span of spans) {
          expect(span.at).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.at);
          end = span.end;
        }
        expect(end).toBeLessThanOrEqual(value.length);
        for (const { at } of [...tokens, ...comments]) expect(at).toBeLessThanOrEqual(value.length);
        for (const pack of Object.values(packs))
          hitsOf(pack, { spans, tokens, comments }, new Set());
      }),
      runs,
    );
  });

  test('its frames, kinds and declarations answer on any bytes', () => {
    fc.assert(
      fc.property(bytes, bytes, (base, body) => {
        const input = inputOf(path, base, body);
        answers(() => profile.tokens?.(path, input.candidate, parse));
        answers(() => profile.syntactic?.(input));
        answers(() => profile.declarations?.(path, input.candidate, parse));
        for (const check of Object.values(profile.regionKinds)) answers(() => check?.(input));
      }),
      { numRuns: longer(40) },
    );
  });

  test('what opens and never closes is read in linear time', () => {
    const scan = scannerOf(name)?.scan;
    for (const piece of [
      '/*',
      '(*',
      '/-',
      '"',
      "'",
      '`',
      '\\<open>',
      '{',
      '(',
      '\\',
      '#',
      'a ',
      '"""',
      '${',
      'f"{',
      "b'",
      '. ',
      '-',
      '[[',
    ]) {
      const value = piece.repeat(Math.floor(100_000 / piece.length));
      const started = performance.now();
      scan?.(value);
      expect([piece, performance.now() - started < 1500]).toEqual([piece, true]);
    }
  });
});
