import type { Ledger } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';

/** A ledger that forgets with its test. `blobs` may be looked at and spoiled. */
export type MemoryLedger = Ledger & { readonly blobs: Map<string, Uint8Array> };

/** Keeps blobs in memory and notes nothing; a missing blob is an ordinary error. */
export function memoryLedger(): MemoryLedger {
  const blobs = new Map<string, Uint8Array>();
  return {
    blobs,
    note: () => undefined,
    put(bytes) {
      const name = sha256(bytes);
      blobs.set(name, bytes);
      return name;
    },
    get(name) {
      const bytes = blobs.get(name);
      if (bytes === undefined) throw new Error(`blob ${name} is missing`);
      return bytes;
    },
  };
}
