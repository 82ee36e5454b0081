import type { FrameHit, FrameInput, FrameToken, Profile } from '../profiles/profile.ts';

type Part = { readonly start: number; readonly end: number };
type Pair = { readonly base: Part; readonly candidate: Part };

/** The protected parts of both files: before, between and after the regions. */
function protectedParts({ base, candidate, regions }: FrameInput): Pair[] {
  const starts = [
    { base: 0, candidate: 0 },
    ...regions.map((region) => ({ base: region.base.end, candidate: region.candidate.end })),
  ];
  const ends = [
    ...regions.map((region) => ({ base: region.base.start, candidate: region.candidate.start })),
    { base: base.length, candidate: candidate.length },
  ];
  return starts.map((start, at) => ({
    base: { start: start.base, end: ends[at]?.base ?? start.base },
    candidate: { start: start.candidate, end: ends[at]?.candidate ?? start.candidate },
  }));
}

const isIn = (part: Part) => (token: FrameToken) =>
  token.start >= part.start && token.end <= part.end && token.end > token.start;

const isEqual = (left: FrameToken, right: FrameToken, from: Part, to: Part) =>
  left.kind === right.kind &&
  left.text === right.text &&
  left.start - from.start === right.start - to.start;

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.lexical', at, detail });

/** A token that begins on one side of a region's border and ends on the other. */
function crossing(tokens: readonly FrameToken[], borders: readonly number[]): FrameHit[] {
  return borders.flatMap((border) => {
    const token = tokens.find(({ start, end }) => start < border && border < end);
    return token ? [hit(token.start, 'a token that crosses the border of a region')] : [];
  });
}

function partHits(
  { base, candidate }: Pair,
  before: readonly FrameToken[],
  after: readonly FrameToken[],
): FrameHit[] {
  const [old, now] = [before.filter(isIn(base)), after.filter(isIn(candidate))];
  const length = Math.max(old.length, now.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [old[at], now[at]];
    if (left && right && isEqual(left, right, base, candidate)) continue;
    return [hit(right?.start ?? candidate.end, 'protected text reads as other tokens')];
  }
  return [];
}

/**
 * The lexical frame: tokens of the protected text, comments included, are the base's in kind, text and place, and no token
 * crosses a region's border. A lexer error that the base does not have is a hit. Source: contracts.md 7.
 */
export function lexicalHits(
  input: FrameInput,
  tokens: NonNullable<Profile['tokens']>,
): readonly FrameHit[] {
  const { path, base, candidate, regions, parse } = input;
  const before = tokens(path, base, parse);
  const after = tokens(path, candidate, parse);
  if (after.error !== null && before.error === null)
    return [hit(regions[0]?.candidate.start ?? 0, after.error)];
  const borders = regions.flatMap((region) => [region.candidate.start, region.candidate.end]);
  const parts = protectedParts(input);
  return [
    ...crossing(after.tokens, borders),
    ...parts.flatMap((part) => partHits(part, before.tokens, after.tokens)),
  ].slice(0, 3);
}
