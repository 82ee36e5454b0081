import type { Outer } from './isabelle.ts';

const words = (text: string) => new Set(text.split(/\s+/u));

/** Commands whose name must be followed by a colon or an attribute; without one the next word is the proposition. */
const goals = words('lemma theorem corollary proposition schematic_goal lemmas');

/** Commands that name what they define in their first word, type parameters and modes passed over. */
const definitions = words(
  `definition fun function primrec primcorec inductive inductive_set coinductive coinductive_set abbreviation
  datatype codatatype record typedef typedecl type_synonym locale class named_theorems partial_function lift_definition`,
);

/** Words of a statement or a specification that are no names. */
const minor = words(
  'assumes fixes shows obtains includes notes defines constrains where and for if is in imports begin',
);

const isNamer = (text: string) => goals.has(text) || definitions.has(text);

/** The place after a bracket that opens here; one that does not close ends at the next such command. */
function pastBracket(tokens: readonly Outer[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (isNamer(tokens[at]?.text ?? '')) return at;
    if (/^[([]$/u.test(tokens[at]?.text ?? '')) depth += 1;
    else if (/^[)\]]$/u.test(tokens[at]?.text ?? '')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

/** A name, quoted or not, or null. */
function nameOf(token: Outer | undefined): string | null {
  if (token === undefined || minor.has(token.text)) return null;
  const name = token.text === '""' ? (token.inner ?? '') : token.text;
  return /^(?:[A-Za-z]|\\<)[^\s"]*$/u.test(name) && name !== '\\<open>' ? name : null;
}

const isLabel = (tokens: readonly Outer[], at: number) => {
  const next = tokens[at + 1]?.text ?? '';
  if (next === ':' || next === '=') return true;
  return next === '[' && /^[:=]$/u.test(tokens[pastBracket(tokens, at + 1)]?.text ?? '');
};

/** The name that follows a command, or null: modes in brackets and type parameters are passed over. */
function named(tokens: readonly Outer[], command: number): string | null {
  const kind = tokens[command]?.text ?? '';
  let at = command + 1;
  while (tokens[at]?.text === '(' || /^'/u.test(tokens[at]?.text ?? ''))
    at = tokens[at]?.text === '(' ? pastBracket(tokens, at) : at + 1;
  const name = nameOf(tokens[at]);
  if (name === null) return null;
  const needsLabel = goals.has(kind) || tokens[at]?.text === '""';
  return !needsLabel || isLabel(tokens, at) ? name : null;
}

/** Named commands of a theory in order. Statements joined by `and` count by their first name. */
export function isabelleDeclarations(tokens: readonly Outer[]) {
  return tokens.flatMap(({ text: kind, at }, index) => {
    if (!isNamer(kind)) return [];
    const name = named(tokens, index);
    return name === null ? [] : [{ kind, name, at }];
  });
}
