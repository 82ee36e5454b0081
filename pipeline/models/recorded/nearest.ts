import type { ModelRequest } from '../../../schemas/completion.ts';
import { canonicalJson } from '../../../stages/contract/canonical-json.ts';

const scalars = [
  'role',
  'entrant',
  'subject',
  'condition',
  'replicate',
  'attempt',
  'reask',
] as const;

/** These weigh more than any other field: a recording of another job is never near. */
const decisive: ReadonlySet<string> = new Set(['role', 'subject', 'entrant']);

const spoken = ({ messages }: ModelRequest) =>
  messages.map(({ role, content }) => `${role}: ${content}`).join('\n');

function firstDifference(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let at = 0;
  while (at < end && left[at] === right[at]) at++;
  return at;
}

function fields(asked: ModelRequest, held: ModelRequest): string[] {
  const named: string[] = scalars.filter((name) => asked[name] !== held[name]);
  if (canonicalJson(asked.schema) !== canonicalJson(held.schema)) named.push('schema');
  if (canonicalJson(asked.parameters) !== canonicalJson(held.parameters)) named.push('parameters');
  if (spoken(asked) !== spoken(held)) named.push('messages');
  return named;
}

/** Smaller is nearer: decisive fields first, then the number of fields, then how far the messages agree. */
function distance(asked: ModelRequest, held: ModelRequest): readonly [number, number, number] {
  const named = fields(asked, held);
  const agreed = firstDifference(spoken(asked), spoken(held));
  return [named.filter((name) => decisive.has(name)).length, named.length, -agreed];
}

function isNearer(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

/** The recorded request that differs least, the first of equals; null when there is none at all. */
export function nearestOf(asked: ModelRequest, held: readonly ModelRequest[]): ModelRequest | null {
  let [nearest = null] = held;
  for (const candidate of held) {
    if (nearest !== null && isNearer(distance(asked, candidate), distance(asked, nearest))) {
      nearest = candidate;
    }
  }
  return nearest;
}

function messageDifference(asked: ModelRequest, held: ModelRequest): string {
  const [left, right] = [spoken(asked), spoken(held)];
  const at = firstDifference(left, right);
  const piece = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40));
  return `messages from character ${at}: asked ${piece(left)}, recorded ${piece(right)}`;
}

/** What differs, field by field, for a person to act on. */
export function difference(asked: ModelRequest, held: ModelRequest): string {
  const said = fields(asked, held).map((name) => {
    if (name === 'messages') return messageDifference(asked, held);
    const scalar = scalars.find((known) => known === name);
    if (scalar === undefined) return name;
    return `${name}: asked ${JSON.stringify(asked[scalar])}, recorded ${JSON.stringify(held[scalar])}`;
  });
  return said.join('; ');
}
