/** @module-tag bwrap */
import { describe } from 'vitest';
import { solverBoxes } from './boxes.ts';

describe("a solver's box in bwrap", () => solverBoxes('bwrap'));
