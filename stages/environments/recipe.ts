import type { EnvironmentSpec } from '../../schemas/environment.ts';

/** A file of a tree, read only where a recipe asks for its bytes. */
export type TreeFile = { readonly path: string; read(): Uint8Array | null };

/** What a recipe saw: a spec with the number of test files that speak for it, or why there is none. */
export type Detected =
  | { readonly fits: true; readonly spec: EnvironmentSpec; readonly testFiles: number }
  | { readonly fits: false; readonly reason: string };

/** One way to run a tree's tests, found from its files alone. */
export type Recipe = { readonly name: string; detect(files: readonly TreeFile[]): Detected };

/** A file's text by path, null where it is absent or not UTF-8. */
export function textOf(files: readonly TreeFile[], path: string): string | null {
  const bytes = files.find((file) => file.path === path)?.read() ?? null;
  return bytes === null ? null : decoded(bytes);
}

/** Bytes as text, null where they are not UTF-8. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Test files whose text is looked at; more would not change the answer. */
const SAMPLE = 50;

/** Whether the text of one of the first files matches. */
export const someText = (files: readonly TreeFile[], pattern: RegExp): boolean =>
  files.slice(0, SAMPLE).some((file) => {
    const bytes = file.read();
    return bytes !== null && pattern.test(decoded(bytes) ?? '');
  });
