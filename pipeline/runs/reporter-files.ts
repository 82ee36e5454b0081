import { readFileSync } from 'node:fs';
import type { Runner } from '../../schemas/environment.ts';
import { reporterNames } from '../../stages/test-reports/argv.ts';

/** The files that have to lie beside the report before a runner starts, read anew from this folder's `reporters/`. */
export const reporterFiles = (
  runner: Runner,
): readonly { readonly name: string; readonly bytes: Uint8Array }[] =>
  reporterNames[runner].map((name) => ({
    name,
    bytes: readFileSync(new URL(`reporters/${name}`, import.meta.url)),
  }));
