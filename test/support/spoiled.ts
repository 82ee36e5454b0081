import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../stages/contract/canonical-json.ts';

/** A digest for every file below a folder. */
export function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, sha256(readFileSync(path))];
    }),
  );
}

/** Do some work while one bit of a file is other than it was. */
export async function whileFlipped<T>(
  file: string,
  at: number | 'middle',
  work: () => Promise<T>,
): Promise<T> {
  const sound = readFileSync(file);
  const spoiled = Uint8Array.from(sound);
  const index = at === 'middle' ? spoiled.length >> 1 : at;
  spoiled[index] = (spoiled[index] ?? 0) ^ 1;
  writeFileSync(file, spoiled);
  try {
    return await work();
  } finally {
    writeFileSync(file, sound);
  }
}
