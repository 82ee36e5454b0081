/** @module-tag docker */
import { describe } from 'vitest';
import { solverBoxes } from './boxes.ts';

describe("a solver's box in docker", () => solverBoxes('docker'));
