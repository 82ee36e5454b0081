import type { ProfileName } from '../../../schemas/contract.ts';
import { lexJavascript } from '../lex-javascript.ts';
import { lexPython } from '../lex-python.ts';
import type { Lexed } from '../lexer.ts';
import type { PackLanguage } from '../packs/pack.ts';
import { scanC, scanGo, scanJvm, scanKotlin, scanRust } from './dialects.ts';
import { scanIsabelle } from './isabelle.ts';
import { scanLean } from './lean.ts';
import { lexNestedPython } from './python.ts';
import { scanRocq } from './rocq.ts';

type Scan = (text: string) => Lexed;

/**
 * How files of a language are read for forbidden constructs. `others`: further ways in which a build may read the same text;
 * what any of them finds counts.
 */
type Scanner = {
  readonly language: PackLanguage;
  readonly scan: Scan;
  readonly others?: readonly Scan[];
};

/** `none` has no reader. */
const scanners: Readonly<Record<ProfileName, Scanner | null>> = {
  typescript: { language: 'javascript', scan: lexJavascript },
  python: { language: 'python', scan: lexPython, others: [lexNestedPython] },
  isabelle: { language: 'isabelle', scan: scanIsabelle },
  rocq: { language: 'rocq', scan: scanRocq },
  lean4: { language: 'lean', scan: scanLean },
  go: { language: 'go', scan: scanGo },
  rust: { language: 'rust', scan: scanRust },
  java: { language: 'jvm', scan: scanJvm },
  kotlin: { language: 'jvm', scan: scanKotlin },
  c: { language: 'c', scan: scanC },
  none: null,
};

export const scannerOf = (profile: ProfileName): Scanner | null => scanners[profile];
