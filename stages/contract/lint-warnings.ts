import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Parse } from '../../schemas/syntax.ts';
import { readTree } from './conforms.ts';
import { profileOf } from './profiles/registry.ts';
import { type Editable, entryIds, spansOf } from './regions.ts';
import { utf8 } from './text.ts';

type Read = (sha256: string) => Uint8Array;

const reason = (code: string, path: string | null, detail: string): Reason => ({
  code: `contract.${code}`,
  path,
  at: null,
  detail,
});

const indentOf = (line: string) => /^[ \t]*/u.exec(line)?.[0].length ?? 0;
const codeLines = (text: string) =>
  text.split(/\r?\n/u).filter((line) => !/^\s*(?:#.*)?$/u.test(line));

/** In Python a block ends where the next line of code stands further left; an empty body is as deep as its end marker. */
function isPythonTail(bytes: Uint8Array, start: number, end: number): boolean {
  const [body, after] = [utf8(bytes.subarray(start, end)), utf8(bytes.subarray(end))];
  if (body === null || after === null) return true;
  const next = codeLines(after)[0];
  return next === undefined || indentOf(next) < indentOf(codeLines(body)[0] ?? after);
}

/** Whether nothing protected follows a region in its block. Proofs end with their own words and are always a tail. */
function isTail(
  { file, profile: named }: Editable,
  bytes: Uint8Array,
  span: { readonly start: number; readonly end: number },
  parse: Parse,
): boolean {
  const { name, tokens, regionKinds } = profileOf(file, named);
  if (name === 'python') return isPythonTail(bytes, span.start, span.end);
  if (tokens === null || 'proof-body' in regionKinds || 'proof-script' in regionKinds) return true;
  const next = tokens(file, bytes, parse).tokens.find(
    ({ kind, start }) => start >= span.end && kind !== 'comment',
  );
  return next === undefined || next.text === '}';
}

function tailWarnings(contract: Contract, base: string, read: Read, parse: Parse): Reason[] {
  const tree = readTree(base, read);
  const ids = entryIds(contract);
  return contract.editable.flatMap((entry, at) => {
    const file = tree.get(entry.file);
    if (entry.region === undefined || (file?.kind !== 'file' && file?.kind !== 'exec')) return [];
    const [id, bytes] = [ids[at] ?? '', read(file.sha256)];
    const spans = spansOf([{ id, entry }], bytes);
    if ('code' in spans || spans.every((span) => isTail(entry, bytes, span, parse))) return [];
    const detail = `after region ${id} its block goes on: names that the region declares reach protected text`;
    return [reason('region-not-tail', entry.file, detail)];
  });
}

/**
 * What a contract may still be warned of; never a reason to stop. `referencePaths`: what a known right change touches, null
 * where none is known. Source: contracts.md 2.4.
 */
export function lintWarnings(
  contract: Contract,
  base: string,
  read: Read,
  parse: Parse,
  referencePaths: readonly string[] | null,
): Reason[] {
  const files = contract.editable.map(({ file }) => file);
  const isLeak =
    referencePaths !== null &&
    files.length > 0 &&
    files.every((path) => referencePaths.includes(path)) &&
    contract.editable.every(({ region }) => region === undefined);
  return [
    ...(isLeak
      ? [reason('leaks-reference', null, "the editable files are exactly the reference's")]
      : []),
    ...tailWarnings(contract, base, read, parse),
    ...(contract.forbidden.packs.length === 0
      ? [reason('no-pack', null, 'nothing is forbidden')]
      : []),
  ];
}
