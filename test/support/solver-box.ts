import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { variable } from '../../pipeline/env.ts';
import { openShells } from '../../pipeline/experiments/shells.ts';
import { chooseSandbox } from '../../pipeline/sandboxes/choose.ts';
import type { Contract } from '../../schemas/contract.ts';
import { readTree } from '../../stages/contract/conforms.ts';
import type { Left, Shell } from '../../stages/controller/ports.ts';
import { contractFor, type Files, keepFiles } from './contract-case.ts';
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts';

export type Place = 'bwrap' | 'docker';

/** A sandbox as an experiment opens it. */
export const sandboxFor = (place: Place) =>
  chooseSandbox(place, {
    run: 'shells',
    cache: join(tmpdir(), 'csw-contract-cache'),
    host: { PATH: variable('PATH') ?? '' },
  });

type Given = {
  readonly place?: Place;
  readonly files: Files;
  readonly contract?: Partial<z.input<typeof Contract>>;
  readonly signal?: AbortSignal;
  /** Texts that the ledger knows beside the base's. */
  readonly known?: readonly string[];
};

type Box = { readonly base: string; readonly ledger: MemoryLedger; readonly left: Left[] };

/** A shell over a tree, as an experiment lends it. `left` fills with what is collected, whatever the work does. */
export async function openBox({
  place = 'bwrap',
  files,
  contract = {},
  signal,
  known = [],
}: Given) {
  const ledger = memoryLedger();
  for (const text of known) ledger.put(new TextEncoder().encode(text));
  const base = keepFiles(ledger, files);
  const left: Left[] = [];
  const shells = openShells(await sandboxFor(place), ledger);
  const step = { contract: contractFor(base, contract), base, keep: (one: Left) => left.push(one) };
  const use = <T>(work: (shell: Shell) => Promise<T>) =>
    shells.use(step, signal ?? new AbortController().signal, work);
  return { base, ledger, left, use };
}

/** The text of a file in the one tree that was left. */
export function leftText({ left, ledger }: Box, path: string): string | null {
  const [one] = left;
  if (left.length !== 1 || one === undefined || 'reason' in one)
    throw new Error(`expected one tree, got ${JSON.stringify(left)}`);
  const entry = readTree(one.tree, ledger.get).get(path);
  return entry === undefined ? null : new TextDecoder().decode(ledger.get(entry.sha256));
}
