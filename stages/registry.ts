import { build } from './build.ts';
import { draft } from './draft.ts';
import { repair } from './repair.ts';
import { review } from './review.ts';
import { solve } from './solve.ts';
import type { Stage } from './stage.ts';
import { validate } from './validate.ts';

/** The pipeline, in order. Adding a stage is one file and one line here. */
export const stages: readonly Stage[] = [draft, build, validate, solve, review, repair];
