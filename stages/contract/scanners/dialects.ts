import { type Dialect, scanCFamily } from './c-family.ts';

const plain: Dialect = {
  hasDirectives: false,
  nestsComments: false,
  raw: [],
  tripleQuotes: false,
  lifetimes: false,
};

export const scanC = scanCFamily({ ...plain, hasDirectives: true });
export const scanGo = scanCFamily({ ...plain, raw: ['`'] });
export const scanRust = scanCFamily({ ...plain, nestsComments: true, lifetimes: true });
export const scanJvm = scanCFamily({ ...plain, tripleQuotes: true });
export const scanKotlin = scanCFamily({ ...plain, nestsComments: true, tripleQuotes: true });
