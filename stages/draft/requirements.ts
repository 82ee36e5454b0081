import type { Coupling } from '../../schemas/coupling.ts';
import type { Requirement } from '../../schemas/requirement.ts';
import type { Seed, SeedEdge, Statement } from '../../schemas/seed.ts';
import { leaksIn } from './check-statement.ts';
import type { CodeFacts } from './read-code.ts';

/** What is declared; the places that bind the rest are no concern of a requirement. */
type Known = Omit<CodeFacts, 'pins'> & { readonly pins: Omit<CodeFacts['pins'], 'bound'> };

const MAX_CLAUSES = 6;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** One requirement per seed, in the words of its threads; sentences that give the fix away are left out. */
export function requirementsOf(
  seeds: readonly Seed[],
  { pins, internal, broughtBy }: Known,
): readonly Requirement[] {
  const commits = seeds.flatMap(({ change }) => [change.head, change.base]);
  const isSafe = ({ text }: Statement) =>
    leaksIn({ statement: text, internal, commits, testNames: [] }).length === 0;
  return seeds.map((seed, index) => {
    const id = `R${index + 1}`;
    const safe = distinct(seed.statements.filter(isSafe).map(withoutReferences)).slice(
      0,
      MAX_CLAUSES,
    );
    return {
      id,
      title: safe[0]?.text ?? seed.title,
      clauses: safe.map(({ text, quote, doc }, clause) => ({
        id: `${id}.${LETTERS[clause]}`,
        text,
        quotes: [{ doc, quote, seed: seed.id }],
      })),
      seeds: [seed.id],
      interface: declared(pins, (token) => broughtBy(token) === index),
    };
  });
}

/** In history mode no author chose the public names: what the tests pin is declared as it stands. */
function declared({ names, literals }: Known['pins'], isOwn: (token: string) => boolean): string[] {
  return [
    ...names.filter(isOwn).map((name) => `the name \`${name}\``),
    ...literals.filter(isOwn).map((literal) => `the text \`${literal}\``),
  ];
}

/** References to the tracker at an end, in Markdown, reStructuredText or brackets: `(resolves #5)`, `:issue:`5``, `{pr}`5``. */
const REFERENCES =
  /(?:\s*(?:\((?:[a-z]+ )?(?:#\d+[, ]*)+\)|[:{](?:issue|pr|ghissue|ghpull)[:}]`\d+`,?))+\s*\.?$/i;

/** The sentence as a reader of the task needs it; its quote stays as it was written. */
function withoutReferences(statement: Statement): Statement {
  const text = statement.text.replace(REFERENCES, '').trim();
  return text === '' ? statement : { ...statement, text };
}

function distinct(statements: readonly Statement[]): readonly Statement[] {
  const seen = new Set<string>();
  return statements.filter(({ text }) => {
    const folded = text.toLowerCase().replace(/\W+/g, ' ').trim();
    return seen.has(folded) ? false : seen.add(folded);
  });
}

/** An edge for every pair that the seed graph joins; what it is worth, execution decides. */
export function couplingsOf(
  seeds: readonly Seed[],
  edges: readonly SeedEdge[],
): readonly Coupling[] {
  const couplings: Coupling[] = [];
  for (const [later, seed] of seeds.entries()) {
    for (const [earlier, other] of seeds.slice(0, later).entries()) {
      const joins = ({ from, to }: SeedEdge) =>
        (from === seed.id && to === other.id) || (from === other.id && to === seed.id);
      if (!edges.some(joins)) continue;
      couplings.push({
        from: `R${earlier + 1}`,
        to: `R${later + 1}`,
        kind: 'constrains',
        text: '',
      });
    }
  }
  return couplings;
}
