import type { SeedLink } from '../../schemas/seed.ts';
import { spokenOf } from './mask.ts';

type Kind = SeedLink['kind'];
type Found = { readonly to: number; readonly kind: Kind; readonly quote: string };

const NUMBER = '(?:#|GH-)(\\d{1,7})\\b';
const CLOSES = new RegExp(
  `\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\\b:?[ \\t]+(?:${NUMBER}|https?://[^\\s/]+/([\\w.-]+/[\\w.-]+)/issues/(\\d{1,7})\\b)`,
  'gi',
);
const REGRESSION = new RegExp(
  `\\b(?:regress(?:ion|ed)|introduced|broken|broke|caused)(?: (?:from|since|in|by|of|with))+[ \\t]+${NUMBER}`,
  'gi',
);
const FOLLOW_UP = new RegExp(
  `\\b(?:follow(?:s|ing)?[- ]?up(?: (?:to|of|for|on|from))?|after|since|on top of|builds? (?:up)?on|continu(?:es|ation of)|extends|supersedes)[ \\t]+${NUMBER}`,
  'gi',
);
const MENTION = /(?<![\w/&])(?:#|GH-)(\d{1,7})\b/g;

/** Words before "fixes #55" that turn it into its opposite or take it half back. */
const NEGATION = /\b(?:not|never|without|cannot|partial(?:ly)?|partly|half|instead of)\b|n['’]t\b/i;

/**
 * Links that a text names itself: closing words next to a number, then "regression from", "follow-up to", then any number.
 * Only the first are trusted. Quoted lines, code, HTML comments and negated sentences close nothing.
 * `repo` is `owner/name` of the source, for links written as addresses.
 */
export function textLinks(text: string, repo: string | null): readonly Found[] {
  const spoken = spokenOf(text);
  const closing = [...spoken.matchAll(CLOSES)].flatMap((match) => closingLink(match, spoken, repo));
  const named = (pattern: RegExp, kind: Kind): Found[] =>
    [...spoken.matchAll(pattern)].map((match) => ({
      to: Number(match[1]),
      kind,
      quote: match[0],
    }));
  return strongest([
    ...closing,
    ...named(REGRESSION, 'regression'),
    ...named(FOLLOW_UP, 'follow-up'),
    ...named(MENTION, 'mention'),
  ]);
}

function closingLink(match: RegExpMatchArray, spoken: string, repo: string | null): Found[] {
  const [quote, number, place, far] = match;
  if (number === undefined && place?.toLowerCase() !== repo?.toLowerCase()) return [];
  const to = Number(number ?? far);
  const at = match.index ?? 0;
  const before =
    spoken
      .slice(0, at)
      .split(/[.!?;\n]/)
      .at(-1) ?? '';
  const whole = spoken.slice(at - before.length, at + quote.length).trim();
  if (NEGATION.test(before)) return [{ to, kind: 'mention', quote: whole }];
  return [{ to, kind: 'closing-text', quote }];
}

const ORDER: readonly Kind[] = [
  'closing-reference',
  'closing-text',
  'regression',
  'follow-up',
  'mention',
];

/** One link for a number: the strongest kind, the first of its kind; sorted by number. A negated closing outranks nothing. */
export function strongest<Link extends { readonly to: number; readonly kind: Kind }>(
  links: readonly Link[],
): readonly Link[] {
  const best = new Map<number, Link>();
  for (const kind of ORDER) {
    for (const link of links) {
      if (link.kind === kind && link.to > 0 && !best.has(link.to)) best.set(link.to, link);
    }
  }
  return [...best.values()].toSorted((left, right) => left.to - right.to);
}

/** Only a closing link names a thread that the change solved; everything else is a hint. */
export const isClosing = ({ kind }: Pick<SeedLink, 'kind'>): boolean =>
  kind === 'closing-reference' || kind === 'closing-text';
