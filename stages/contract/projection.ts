import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { equalBytes, linesOf } from './bytes.ts';
import { anyGlob } from './globs.ts';
import { isNeverEditable } from './never-editable.ts';
import { isOverridden, pathReasons } from './path-rules.ts';
import { type Body, bareLine, decompose, type Editable, entryIds, spansOf } from './regions.ts';
import { utf8 } from './text.ts';

type Tree = ReadonlyMap<string, TreeEntry>;

/** New content that the contract lets a candidate have, with the entry that allows it (null: a created file). */
export type Allowed = {
  readonly path: string;
  readonly entry: Editable | null;
  readonly base: Uint8Array | null;
  readonly candidate: Uint8Array;
  /** Regions whose bytes changed; empty for whole files. */
  readonly bodies: readonly Body[];
  /** All regions of the file, changed or not, in order. */
  readonly regions: readonly Body[];
};

export type Projection = {
  readonly reasons: Reason[];
  readonly region: Reason[];
  readonly allowed: Allowed[];
};

const reason = (code: string, path: string, at: number | null, detail: string): Reason => ({
  code,
  path,
  at,
  detail,
});

/** Entries of a contract by file, with their names; entries that may not exist are left out, so their files stay protected. */
function editableFiles(contract: Contract): Map<string, { id: string; entry: Editable }[]> {
  const files = new Map<string, { id: string; entry: Editable }[]>();
  const ids = entryIds(contract);
  contract.editable.forEach((entry, at) => {
    if (isNeverEditable(entry.file) && !isOverridden(contract, entry.file)) return;
    files.set(entry.file, [
      ...(files.get(entry.file) ?? []),
      { id: ids[at] ?? `r${at + 1}`, entry },
    ]);
  });
  return files;
}

const LF = 0x0a;
const trimmed = (line: Uint8Array) => (utf8(bareLine(line)) ?? '').trim();

function bodyReasons(
  path: string,
  base: Uint8Array,
  body: Body,
  markers: ReadonlySet<string>,
): Reason[] {
  const { span, start, bytes } = body;
  const reasons: Reason[] = [];
  const endsLine = span.markers.length > 0 || base[span.end - 1] === LF;
  if (endsLine && bytes.length > 0 && bytes.at(-1) !== LF) {
    reasons.push(
      reason(
        'region.joins-marker',
        path,
        start + bytes.length,
        `region ${span.id} does not end its last line`,
      ),
    );
  }
  const copied = linesOf(bytes).find(({ line }) => markers.has(trimmed(line)));
  if (copied)
    reasons.push(
      reason(
        'region.marker-in-body',
        path,
        start + copied.start,
        `region ${span.id} holds a marker line`,
      ),
    );
  if (bytes.length > span.entry.max_bytes) {
    const detail = `region ${span.id} has ${bytes.length} bytes, at most ${span.entry.max_bytes} fit`;
    reasons.push(reason('region.too-large', path, start, detail));
  }
  return reasons;
}

function regionFile(
  path: string,
  entries: { id: string; entry: Editable }[],
  base: Uint8Array,
  target: Uint8Array,
): Projection {
  const spans = spansOf(entries, base);
  if ('code' in spans)
    throw new Error(
      `contract unfit for its base: ${spans.code} in ${spans.path}. Run the lint first.`,
    );
  const split = decompose(spans, base, target);
  if ('code' in split) {
    const misfit = reason(split.code, path, split.at, split.detail);
    const isSegment = split.code === 'bytes.segment';
    return { reasons: isSegment ? [misfit] : [], region: isSegment ? [] : [misfit], allowed: [] };
  }
  const markers = new Set(spans.flatMap((span) => span.markers.map(trimmed)));
  const changed = split.bodies.filter(
    ({ span, bytes }) => !equalBytes(bytes, base.subarray(span.start, span.end)),
  );
  return {
    reasons: [],
    region: changed.flatMap((body) => bodyReasons(path, base, body, markers)),
    allowed: [
      {
        path,
        entry: entries[0]?.entry ?? null,
        base,
        candidate: target,
        bodies: changed,
        regions: split.bodies,
      },
    ],
  };
}

function wholeFile(
  path: string,
  entry: Editable,
  base: Uint8Array,
  target: Uint8Array,
): Projection {
  const tooLarge = target.length > entry.max_bytes;
  const detail = `${target.length} bytes, at most ${entry.max_bytes} fit`;
  return {
    reasons: [],
    region: tooLarge ? [reason('region.too-large', path, null, detail)] : [],
    allowed: [{ path, entry, base, candidate: target, bodies: [], regions: [] }],
  };
}

type Read = (sha256: string) => Uint8Array;

function changedFile(
  entries: { id: string; entry: Editable }[] | undefined,
  before: TreeEntry,
  after: TreeEntry,
  read: Read,
): Projection {
  const { path } = before;
  const isText = (kind: TreeEntry['kind']) => kind === 'file' || kind === 'exec';
  if (!entries || !isText(before.kind) || !isText(after.kind)) {
    return {
      reasons: [reason('bytes.protected', path, null, 'a protected path has other content')],
      region: [],
      allowed: [],
    };
  }
  const [first] = entries;
  const [base, target] = [read(before.sha256), read(after.sha256)];
  if (first?.entry.whole_file) return wholeFile(path, first.entry, base, target);
  return regionFile(path, entries, base, target);
}

/** Protected content and regions of one step, with everything the contract lets change. Unchanged entries are not read. */
export function project(contract: Contract, base: Tree, candidate: Tree, read: Read): Projection {
  const files = editableFiles(contract);
  const mayCreate = anyGlob(contract.create.map(({ glob }) => glob));
  const parts: Projection[] = [
    { reasons: pathReasons(contract, base, candidate), region: [], allowed: [] },
  ];
  for (const after of candidate.values()) {
    const before = base.get(after.path);
    if (before === undefined) {
      if ((after.kind !== 'file' && after.kind !== 'exec') || !mayCreate(after.path)) continue;
      const bytes = read(after.sha256);
      parts.push({
        reasons: [],
        region: [],
        allowed: [
          { path: after.path, entry: null, base: null, candidate: bytes, bodies: [], regions: [] },
        ],
      });
    } else if (before.sha256 !== after.sha256) {
      parts.push(changedFile(files.get(after.path), before, after, read));
    }
  }
  return {
    reasons: parts.flatMap(({ reasons }) => reasons),
    region: parts.flatMap(({ region }) => region),
    allowed: parts.flatMap(({ allowed }) => allowed),
  };
}
