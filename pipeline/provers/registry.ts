import { isabelle } from './isabelle.ts';
import { rocq } from './rocq.ts';

export const provers = { rocq, isabelle };
