import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { type Binding, resolve, type Scope, type Use, usesOf } from './scopes.ts';
import { placeOf, type Side } from './syntax.ts';

/** Places of the body that took part in what a name means: its declarations there, or a statement that moved the name. */
function causes(name: string, from: Scope, home: Scope | null, isInBody: (at: number) => boolean) {
  const moves: { at: number; how: 'value' }[] = [];
  for (let scope: Scope | null = from; scope !== null; scope = scope.outer) {
    const move = scope.moved.get(name);
    if (move && isInBody(move.at)) moves.push({ at: move.at, how: 'value' });
  }
  return [...(home?.names.get(name) ?? []), ...moves];
}

/** Whether a second declaration in the scope of a protected one changes what the protected one means. */
const isRetaken = (home: Scope, how: string) =>
  home.kind === 'module' || home.kind === 'class' ? how !== 'update' : how === 'function';

const inBody =
  ({ regions }: FrameInput, side: Side) =>
  (at: number) =>
    placeOf(at, regions, side) === null;

/** Of each protected use in the base: the scope it belonged to, and whether the body itself declared it there. */
function meanings(before: readonly Use[], input: FrameInput) {
  const isInBody = inBody(input, 'base');
  return new Map(
    before.map(({ name, place, scope }) => {
      const home = resolve(scope, name);
      const isOwn = causes(name, scope, home, isInBody).length > 0;
      return [place, { key: home?.key, isOwn }] as const;
    }),
  );
}

/**
 * The capture rule: each name in protected text belongs to the scope that it belonged to, and no body declares again what
 * protected text declares in a module or a class. A name that the base's own body declared is the body's to change.
 * Source: contracts.md 7.
 */
export function captureHits(
  before: SyntaxNode,
  after: SyntaxNode,
  input: FrameInput,
  binding: Binding,
): FrameHit[] {
  const { base, candidate, regions } = input;
  const old = meanings(usesOf(before, base, regions, 'base', binding), input);
  const isInBody = inBody(input, 'candidate');
  const hits = new Map<string, FrameHit>();
  for (const use of usesOf(after, candidate, regions, 'candidate', binding)) {
    const { name, place, scope } = use;
    const was = old.get(place);
    if (was?.isOwn || hits.has(name)) continue;
    const home = resolve(scope, name);
    const isSame = was !== undefined && home !== null && home.key === was.key;
    const cause = causes(name, scope, home, isInBody).find(
      ({ how }) => !isSame || isRetaken(home, how),
    );
    if (cause === undefined) continue;
    const detail = `"${name}" now means something else in protected text`;
    hits.set(name, { code: 'frame.capture', at: cause.at, detail });
  }
  return [...hits.values()];
}
