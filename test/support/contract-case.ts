import type { z } from 'zod';
import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import { Contract } from '../../schemas/contract.ts';
import type { ContractReport } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { checkConforms } from '../../stages/contract/conforms.ts';
import { manifestText } from '../../stages/contract/manifest.ts';
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts';

const parse = await openParse();

type Content = string | Uint8Array;
/** A tree by path: a text, bytes, or a kind with its content. */
export type Files = Readonly<Record<string, Content | readonly [TreeEntry['kind'], Content]>>;

const bytesOf = (content: Content) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** Keeps a tree with files of any kind; returns its name. */
export function keepFiles(ledger: MemoryLedger, files: Files): string {
  const entries = Object.entries(files).map(([path, given]): TreeEntry => {
    const isPlain = typeof given === 'string' || given instanceof Uint8Array;
    const [kind, content] = isPlain ? (['file', given] as const) : given;
    const bytes = bytesOf(content);
    return { path, kind, size: bytes.length, sha256: ledger.put(bytes) };
  });
  return ledger.put(manifestText(entries));
}

/** A contract for a base tree; a test names only what it is about. */
export const contractFor = (
  base: string,
  parts: Partial<z.input<typeof Contract>> = {},
): Contract =>
  Contract.parse({ contract: 1, id: 'case', base: { manifest: `sha256:${base}` }, ...parts });

/** The report on the step from one tree to another. */
export function reportOn(
  base: Files,
  candidate: Files,
  parts: Partial<z.input<typeof Contract>>,
): ContractReport {
  const ledger = memoryLedger();
  const [before, after] = [keepFiles(ledger, base), keepFiles(ledger, candidate)];
  const contract = contractFor(before, parts);
  return checkConforms({ contract, base: before, candidate: after, read: ledger.get, parse });
}
