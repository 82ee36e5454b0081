import { compiled } from './compiled.ts';
import { isabelle } from './isabelle.ts';
import { javascript } from './javascript.ts';
import { lean } from './lean.ts';
import type { Pack } from './pack.ts';
import { python } from './python.ts';
import { rocq } from './rocq.ts';

/** Every pack that a contract may name; an unknown name is a contract error. */
export const packs: Readonly<Record<string, Pack>> = {
  ...javascript,
  ...python,
  ...isabelle,
  ...rocq,
  ...lean,
  ...compiled,
};
