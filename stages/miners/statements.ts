import type { Statement } from '../../schemas/seed.ts';
import type { Doc } from './docs.ts';
import type { Span } from './mask.ts';
import { plainText } from './normative.ts';
import { miners } from './registry.ts';

type Kind = Statement['kind'];

/** A statement whose quote is the text between the two offsets, by construction. */
export function statementAt(
  { doc, text, authorAssociation }: Doc,
  kind: Kind,
  span: Span,
): Statement {
  const { start, end } = span;
  const quote = text.slice(start, end);
  return { kind, text: plainText(quote), quote, doc, start, end, authorAssociation };
}

/** All statements of a text in its order; no two share words. */
export function statementsIn(doc: Doc): readonly Statement[] {
  const taken: Statement[] = [];
  for (const [kind, find] of Object.entries(miners) as [Kind, (doc: Doc) => readonly Span[]][]) {
    for (const span of find(doc)) {
      const overlaps = taken.some(({ start, end }) => span.start < end && start < span.end);
      if (!overlaps && span.end > span.start) taken.push(statementAt(doc, kind, span));
    }
  }
  return taken.toSorted((left, right) => left.start - right.start);
}

/** The same words said twice count once, in the place where they were said first. */
export function distinctStatements(statements: readonly Statement[]): readonly Statement[] {
  const seen = new Set<string>();
  return statements.filter(({ text }) => {
    const folded = text
      .toLowerCase()
      .replace(/[\W_]+/g, ' ')
      .trim();
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}
