import { node } from './node.ts';
import { python } from './python.ts';
import type { Recipe } from './recipe.ts';

/** Every recipe; where two fit equally, the first wins. */
export const recipes = { node, python } satisfies Record<string, Recipe>;
