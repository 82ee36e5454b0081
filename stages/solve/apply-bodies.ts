import type { Contract } from '../../schemas/contract.ts';
import type { BodyProposal } from '../../schemas/proposal.ts';
import { composeFile, type Editable, entryIds, type Span, spansOf } from '../contract/regions.ts';
import {
  type Base,
  type Blobs,
  bytesOf,
  type Changes,
  isFile,
  type Refused,
  refuse,
} from './changes.ts';

const LF = 0x0a;

/** The replacement texts by region, each known and given once. */
function textsOf(
  ids: readonly string[],
  { bodies }: BodyProposal,
): Map<string, Uint8Array> | Refused {
  const texts = new Map<string, Uint8Array>();
  for (const { region, text } of bodies) {
    if (!ids.includes(region))
      return refuse('unknown-region', `"${region}", expected one of ${ids.join(', ')}`);
    if (texts.has(region)) return refuse('edit-overlap', `region "${region}" is given twice`);
    const bytes = bytesOf(text);
    if (!bytes) return refuse('encoding', `the text of region "${region}" is not valid Unicode`);
    texts.set(region, bytes);
  }
  return texts;
}

/** A body that ends its last line where the region does; the one normalisation there is. */
function ended(span: Span, base: Uint8Array, text: Uint8Array): Uint8Array {
  const endsLine = span.markers.length > 0 || base[span.end - 1] === LF;
  if (!endsLine || text.length === 0 || text.at(-1) === LF) return text;
  return new Uint8Array([...text, LF]);
}

type Named = { readonly id: string; readonly entry: Editable };

function bodiesOf(
  list: readonly Named[],
  path: string,
  base: Uint8Array,
  texts: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const spans = spansOf(list, base);
  if ('code' in spans)
    throw new Error(`contract unfit for its base: ${spans.code} in ${path}. Run the lint first.`);
  const fitted = spans.flatMap((span): [string, Uint8Array][] => {
    const text = texts.get(span.id);
    return text === undefined ? [] : [[span.id, ended(span, base, text)]];
  });
  return composeFile(spans, base, new Map(fitted));
}

/** The changes that a body proposal makes; regions left out stay as in the base. */
export function applyBodies(
  base: Base,
  contract: Contract,
  proposal: BodyProposal,
  blobs: Blobs,
): Changes | Refused {
  const ids = entryIds(contract);
  const texts = textsOf(ids, proposal);
  if ('ok' in texts) return texts;
  const named = contract.editable.map((entry, at) => ({ id: ids[at] ?? '', entry }));
  const touched = named.filter(({ id }) => texts.has(id)).map(({ entry }) => entry.file);
  const changes: Changes = new Map();
  for (const path of new Set(touched)) {
    const file = base.get(path);
    if (!isFile(file)) return refuse('unknown-region', `"${path}" is no file of the base`);
    const list = named.filter(({ entry }) => entry.file === path);
    changes.set(path, bodiesOf(list, path, blobs.get(file.sha256), texts));
  }
  return changes;
}
