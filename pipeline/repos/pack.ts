import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { z } from 'zod';
import { SeedPack } from '../../schemas/seed-pack.ts';
import { Fault } from '../../stages/fault.ts';

/** A pack together with the folder it was read from. */
export type Pack = SeedPack & { readonly folder: string };

/** Read `pack.json` of a folder; every problem at once in one Fault `pack-unreadable`. */
export async function readPack(folder: string): Promise<Pack> {
  const file = join(folder, 'pack.json');
  const value = parseJson(file, new TextDecoder().decode(await readPackFile(folder, 'pack.json')));
  return { ...parsePackFile(SeedPack, value, file), folder };
}

/** Bytes of a file of the pack. A path that leaves the pack, by dots or by a link, is refused. */
export async function readPackFile(folder: string, path: string): Promise<Buffer> {
  const file = join(folder, path);
  try {
    const [inside, real] = await Promise.all([realpath(folder), realpath(file)]);
    if (!real.startsWith(inside + sep)) throw packFault(file, 'leads out of the pack');
    return await readFile(real);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw packFault(file, (cause as NodeJS.ErrnoException).code ?? String(cause), cause);
  }
}

/** Parse what a pack's file holds, naming the file and every field that is wrong. */
export function parsePackFile<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'the whole file'}: ${message}`,
  );
  throw packFault(file, problems.join('; '));
}

/** A Fault that names the pack's file. */
export const packFault = (file: string, reason: string, cause?: unknown): Fault =>
  new Fault(`${file} unreadable: ${reason}. Mend the pack.`, { code: 'pack-unreadable', cause });

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw packFault(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
