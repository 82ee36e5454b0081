import { languageOf } from '../../draft/language.ts';

const COMPILED: Readonly<Record<string, string>> = { go: 'go', rs: 'rust', java: 'java' };

/** The grammar for symbols and mutants of a path; null where there is none. More languages than those whose tests are read for pins. */
export const grammarOf = (path: string): string | null =>
  languageOf(path) ?? COMPILED[path.slice(path.lastIndexOf('.') + 1)] ?? null;
