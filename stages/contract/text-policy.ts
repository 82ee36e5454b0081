import type { Reason } from '../../schemas/contract-report.ts';
import type { Allowed } from './projection.ts';
import { cookieHits, type TextHit, textHits } from './text.ts';

const LF = 0x0a;

function hitsOf({ path, base, candidate, bodies }: Allowed): TextHit[] {
  const cookies = /\.pyi?$/u.test(path) ? cookieHits(candidate, base) : [];
  if (bodies.length === 0) {
    const wantsFinalNewline = base === null || base.length === 0 || base.at(-1) === LF;
    return [
      ...textHits({ bytes: candidate, base, offset: 0, isWhole: true, wantsFinalNewline }),
      ...cookies,
    ];
  }
  const hits = bodies.flatMap(({ span, start, bytes }) => {
    const wantsFinalNewline = span.markers.length > 0 || base?.[span.end - 1] === LF;
    return textHits({ bytes, base, offset: start, isWhole: false, wantsFinalNewline });
  });
  return [...hits, ...cookies];
}

/** The text policy on everything that a contract let change, less what an entry allows by name. Source: contracts.md 6. */
export const textReasons = (allowed: readonly Allowed[]): Reason[] =>
  allowed.flatMap((file) => {
    const lifted = new Set(Object.keys(file.entry?.text ?? {}).map((rule) => `text.${rule}`));
    const hits = hitsOf(file).filter(({ code }) => !lifted.has(code));
    return hits.map((hit) => ({ ...hit, path: file.path }));
  });
