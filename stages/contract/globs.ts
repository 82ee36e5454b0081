const special = /[\\^$.|+()[\]]/g;

function pieceOf(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token === '{') return '(?:';
  if (token === '}') return ')';
  if (token === ',') return '|';
  return token.replace(special, '\\$&');
}

const balanced = (tokens: readonly string[]) => {
  let depth = 0;
  for (const token of tokens) {
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth === 0;
};

/** The parts of a glob; whether its braces balance, and so choose. */
export function globTokens(glob: string): { tokens: readonly string[]; chooses: boolean } {
  const tokens: string[] = glob.match(/\*\*\/|\*\*|[*?{},]|[^*?{},]+/gu) ?? [];
  return { tokens, chooses: balanced(tokens) };
}

/**
 * A glob as a pattern over whole paths. `*` and `?` stay inside a component, `**` crosses them, `{a,b}` chooses;
 * braces that do not balance are plain characters.
 */
export function globPattern(glob: string): RegExp {
  const { tokens, chooses } = globTokens(glob);
  let depth = 0;
  const pieces = tokens.map((token) => {
    if ('{},'.includes(token) && !chooses) return `\\${token}`.replace('\\,', ',');
    if (token === ',' && depth === 0) return ',';
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    return pieceOf(token);
  });
  return new RegExp(`^${pieces.join('')}$`, 'u');
}

/** A test of paths against any of several globs, compiled once. */
export function anyGlob(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map(globPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}
