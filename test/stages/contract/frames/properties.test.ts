import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openParse } from '../../../../pipeline/parsing/tree-sitter.ts';
import type { RegionKind } from '../../../../schemas/contract.ts';
import { lexicalHits } from '../../../../stages/contract/frames/lexical.ts';
import type { FrameInput, Profile } from '../../../../stages/contract/profiles/profile.ts';
import { python } from '../../../../stages/contract/profiles/python.ts';
import { typescript } from '../../../../stages/contract/profiles/typescript.ts';

const parse = await openParse();
const encode = (text: string) => new TextEncoder().encode(text);

/** Pieces that lexers and grammars stumble over, beside any text at all. */
const pieces = `{ } ( ) [ ] ; , : . => \` \${ ' " """ ''' f' f"{ /* */ // # / \\ \n
  <a> </a> @d if else for while do class function def lambda return new static get import as var let const x guard 0
  \u{1f600} é`
  .split(/ /u)
  .concat(' ', '\n', '    ', '\t');
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((list) => list.join('')),
);
const bytes = fc.oneof(text.map(encode), fc.uint8Array({ maxLength: 60 }));

function inputOf(
  path: string,
  parts: { head: Uint8Array; old: Uint8Array; now: Uint8Array; tail: Uint8Array },
  kind: RegionKind,
): FrameInput {
  const join = (body: Uint8Array) => new Uint8Array([...parts.head, ...body, ...parts.tail]);
  const start = parts.head.length;
  const at = (body: Uint8Array) => ({ start, end: start + body.length });
  const region = { id: 'r1', kind, base: at(parts.old), candidate: at(parts.now) };
  return { path, base: join(parts.old), candidate: join(parts.now), regions: [region], parse };
}

type Found = { readonly code: string };

function everyHit(profile: Profile, input: FrameInput): Found[] {
  const lexical = profile.tokens ? lexicalHits(input, profile.tokens) : [];
  const kinds = Object.values(profile.regionKinds).flatMap((check) => check?.(input) ?? []);
  return [...lexical, ...(profile.syntactic?.(input) ?? []), ...kinds];
}

const languages: [string, Profile, string][] = [
  ['TypeScript', typescript, 'a.ts'],
  ['TSX', typescript, 'a.tsx'],
  ['JavaScript', typescript, 'a.js'],
  ['Python', python, 'a.py'],
];

describe.each(languages)('on any %s', (_, profile, path) => {
  test('tokens and declarations are told without a throw, tokens in bounds and in bytes', () => {
    fc.assert(
      fc.property(bytes, (file) => {
        for (const token of profile.tokens?.(path, file, parse).tokens ?? []) {
          expect(token.start).toBeLessThan(token.end);
          expect(token.end).toBeLessThanOrEqual(file.length);
          const own = new TextDecoder().decode(file.subarray(token.start, token.end));
          expect(own).toBe(token.text);
        }
        for (const { start, end } of profile.declarations?.(path, file, parse) ?? [])
          expect(start <= end && end <= file.length).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('frames judge any two bodies of any text without a throw, and any bytes with one at most that says why', () => {
    fc.assert(
      fc.property(text, text, text, text, (head, old, now, tail) => {
        const parts = {
          head: encode(head),
          old: encode(old),
          now: encode(now),
          tail: encode(tail),
        };
        everyHit(profile, inputOf(path, parts, 'statements'));
      }),
      { numRuns: 150 },
    );
    fc.assert(
      fc.property(bytes, bytes, (old, now) => {
        const parts = { head: new Uint8Array(), old, now, tail: new Uint8Array() };
        try {
          everyHit(profile, inputOf(path, parts, 'statements'));
        } catch (error) {
          expect(String(error)).toMatch(/UTF-8/u);
        }
      }),
      { numRuns: 80 },
    );
  });
});

const bodies: Readonly<Record<string, readonly [string, string]>> = {
  'a.ts': ['export function run(x: number) {\n  // A\n', '  // B\n  guard(x);\n}\n'],
  'a.tsx': ['export function run(x: number) {\n  // A\n', '  // B\n  return <b>{x}</b>;\n}\n'],
  'a.js': ['function run(x) {\n  // A\n', '  // B\n  guard(x);\n}\n'],
  'a.py': ['def run(x):\n    # A\n', '    # B\n    guard(x)\n'],
};

describe.each(languages)('in %s', (_, profile, path) => {
  const [head, tail] = (bodies[path] ?? ['', '']).map(encode) as [Uint8Array, Uint8Array];
  const depth = path === 'a.py' ? '    ' : '  ';
  const line = fc.constantFrom('x += 1', 'y = x', 'pass', 'f(x)').map((one) => `${depth}${one}\n`);

  test('a body that stays as it is gives no hit', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const body = encode(lines.join(''));
        const input = inputOf(path, { head, old: body, now: body, tail }, 'statements');
        expect(everyHit({ ...profile, regionKinds: {} }, input)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('no body without a frame hit leaves protected tokens other than they were', () => {
    const protectedIn = (file: Uint8Array, from: number) =>
      profile
        .tokens?.(path, file, parse)
        .tokens.filter(({ start }) => start >= from)
        .map((token) => ({ ...token, start: token.start - from, end: token.end - from }));
    fc.assert(
      fc.property(text, (body) => {
        const now = encode(`${body}\n`);
        const input = inputOf(path, { head, old: encode(''), now, tail }, 'statements');
        if (everyHit(profile, input).length > 0) return;
        const [before, after] = [
          protectedIn(input.base, head.length),
          protectedIn(input.candidate, head.length + now.length),
        ];
        expect(after).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});
