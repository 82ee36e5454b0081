import type { ProfileName } from '../../../schemas/contract.ts';
import { scanC, scanGo, scanJvm, scanKotlin, scanRust } from '../scanners/dialects.ts';
import type { Scanned } from '../scanners/scan.ts';
import { frameTokens } from '../scanners/spans.ts';
import { utf8 } from '../text.ts';
import type { FrameHit, FrameInput, Profile } from './profile.ts';

/** `#if` changes what later text is without changing a token of it. */
function directiveHits({ candidate: bytes, regions }: FrameInput): FrameHit[] {
  return regions.flatMap(({ candidate }): FrameHit[] => {
    const body = utf8(bytes.subarray(candidate.start, candidate.end)) ?? '';
    const found = scanC(body).spans.find(({ kind }) => kind === 'directive');
    if (found === undefined) return [];
    const at = candidate.start + new TextEncoder().encode(body.slice(0, found.at)).length;
    return [{ code: 'frame.lexical', at, detail: 'a preprocessor directive in a region' }];
  });
}

const profile = (
  name: ProfileName,
  extensions: readonly string[],
  scan: (text: string) => Scanned,
  any: Profile['regionKinds']['any'] = null,
): Profile => ({
  name,
  extensions,
  tokens: (_, bytes) => frameTokens(bytes, scan),
  syntactic: null,
  regionKinds: { any },
  declarations: null,
});

/** Languages with a lexer and no parser: tokens alone are held. */
export const cLike: readonly Profile[] = [
  profile('c', ['.c', '.h', '.cc', '.cpp', '.cxx', '.hpp', '.hh'], scanC, directiveHits),
  profile('go', ['.go'], scanGo),
  profile('rust', ['.rs'], scanRust),
  profile('java', ['.java'], scanJvm),
  profile('kotlin', ['.kt', '.kts'], scanKotlin),
];
