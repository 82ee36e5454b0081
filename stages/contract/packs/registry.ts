import { javascript } from './javascript.ts';
import type { Pack } from './pack.ts';
import { python } from './python.ts';

/** Every pack that a contract may name; an unknown name is a contract error. */
export const packs: Readonly<Record<string, Pack>> = { ...javascript, ...python };
