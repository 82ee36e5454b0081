import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { unescaped } from '../lexer.ts';
import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { placeOf, type Side, textOf, walk } from './syntax.ts';

const memberTypes = new Set(
  `method_definition public_field_definition field_definition method_signature abstract_method_signature pair
  shorthand_property_identifier`.split(/\s+/u),
);
const holders = new Set(['class_body', 'object']);

type Member = {
  readonly node: SyntaxNode;
  readonly body: SyntaxNode;
  /** Null: a name that only the running program knows. */
  readonly name: string | null;
  readonly isStatic: boolean;
  readonly accessor: string;
};

/** The name that text gives a member: `x`, `'x'`, `['x']` are one; `[x]` is unknown, `[Symbol.x]` is none that text repeats. */
function nameOf(node: SyntaxNode, bytes: Uint8Array): string | null {
  const text = unescaped(textOf(node, bytes));
  if (node.type === 'string') return text.slice(1, -1);
  if (node.type === 'template_string')
    return node.children.some(({ type }) => type === 'template_substitution')
      ? null
      : text.slice(1, -1);
  if (node.type !== 'computed_property_name') return text;
  const inner = node.children.find(({ named }) => named);
  if (inner === undefined) return text;
  if (/^(?:string|template_string|number)$/u.test(inner.type)) return nameOf(inner, bytes);
  return /^Symbol\s*\.\s*\w+$/u.test(textOf(inner, bytes)) ? text : null;
}

function memberOf(node: SyntaxNode, body: SyntaxNode, bytes: Uint8Array): Member | null {
  if (!memberTypes.has(node.type)) return null;
  const own = node.children.find(({ field }) => /^(?:name|property|key)$/u.test(field ?? ''));
  const marks = node.children.map(({ type }) => type);
  return {
    node,
    body,
    name: nameOf(own ?? node, bytes),
    isStatic: marks.includes('static'),
    accessor: marks.find((mark) => mark === 'get' || mark === 'set') ?? '',
  };
}

const membersIn = (root: SyntaxNode, bytes: Uint8Array) =>
  [...walk(root)].flatMap(({ node, parent }) => {
    if (parent === null || !holders.has(parent.node.type)) return [];
    return memberOf(node, parent.node, bytes) ?? [];
  });

/** A getter and a setter of one name are one property in two halves; everything else of one name takes the other's place. */
const isHalf = (left: Member, right: Member) =>
  left.accessor !== '' && right.accessor !== '' && left.accessor !== right.accessor;

const isTwin = (left: Member, right: Member) =>
  left.isStatic === right.isStatic && left.name === right.name && !isHalf(left, right);

const keyOf = ({ name, isStatic }: Member) => `${isStatic} ${name}`;

/**
 * Members that a body declares beside a protected one of the same name in the same class or object, and members whose name
 * cannot be read there. What the base's own body declared is the body's to change.
 */
export function memberHits(before: SyntaxNode, after: SyntaxNode, input: FrameInput): FrameHit[] {
  const isInBody = ({ node }: Member, side: Side) =>
    placeOf(node.start, input.regions, side) === null;
  const old = membersIn(before, input.base).filter((one) => isInBody(one, 'base'));
  const had = new Set(old.map(keyOf));
  const kept = new Map<SyntaxNode, Map<string, Member[]>>();
  const fresh: Member[] = [];
  for (const one of membersIn(after, input.candidate)) {
    if (isInBody(one, 'candidate')) {
      fresh.push(one);
      continue;
    }
    const names = kept.get(one.body) ?? new Map<string, Member[]>();
    const twins = names.get(keyOf(one)) ?? [];
    twins.push(one);
    kept.set(one.body, names.set(keyOf(one), twins));
  }
  return fresh.flatMap((one): FrameHit[] => {
    const names = kept.get(one.body);
    if (names === undefined || had.has(keyOf(one))) return [];
    const isUnread = one.name === null;
    if (!isUnread && !names.get(keyOf(one))?.some((twin) => isTwin(one, twin))) return [];
    const detail = isUnread
      ? 'a member whose name may be that of a protected one'
      : `the member "${one.name}" is declared in protected text`;
    return [{ code: 'frame.capture', at: one.node.start, detail }];
  });
}
