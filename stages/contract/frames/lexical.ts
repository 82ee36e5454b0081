import type { FrameHit, FrameInput, Profile } from '../profiles/profile.ts';

/** Tokens of the protected text are the base's, in kind, text and place, and no token crosses a region's border. */
export function lexicalHits(
  _input: FrameInput,
  _tokens: NonNullable<Profile['tokens']>,
): readonly FrameHit[] {
  throw new Error('not written yet');
}
