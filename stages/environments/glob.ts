import { anyGlob } from '../contract/globs.ts';

/** Whether a path of a tree matches one of the globs: `*` and `?` inside a name, `**` across names, `{a,b}` a choice. */
export const matchesAny = (path: string, globs: readonly string[]): boolean => anyGlob(globs)(path);
