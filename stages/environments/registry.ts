import { go } from './go.ts';
import { java } from './java.ts';
import { node } from './node.ts';
import { python } from './python.ts';
import type { Recipe } from './recipe.ts';
import { rust } from './rust.ts';

/** Every recipe; where two fit equally, the first wins. */
export const recipes = { node, python, go, rust, java } satisfies Record<string, Recipe>;
