/** The grammar for a path, by its ending; null where there is none. */
export function languageOf(path: string): string | null {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return LANGUAGES[ending] ?? null;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
};
