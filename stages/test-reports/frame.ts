import { createHash } from 'node:crypto';

/** Node's own options may name code of the tree, which must not be loaded by the process that speaks for the suite. */
const APART =
  'CSW_NODE_OPTIONS=$NODE_OPTIONS; export CSW_NODE_OPTIONS; unset NODE_OPTIONS; exec "$@"';

type Supervised = {
  readonly node: string;
  /** The supervisor's script, as its own box sees it. */
  readonly script: string;
  readonly timeoutMs: number;
  /** The suite's command; NODE_OPTIONS are given back to it. */
  readonly argv: readonly string[];
};

/** The command that runs a suite under the supervisor. Its standard input is the nonce, a line feed and the frame's key. */
export const supervisedArgv = ({ node, script, timeoutMs, argv }: Supervised): string[] => [
  ...['/bin/sh', '-c', APART, 'sh'],
  ...[node, script, `${timeoutMs}`, ...argv],
];

/** What the supervisor in a box says of a suite's end. */
type FrameEnd = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Bytes of output that were not kept. */
  readonly dropped: number;
};

/** A frame taken apart. */
export type Frame = FrameEnd & {
  readonly report: Uint8Array;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
};

const HEAD = 'csw-frame ';
const SEAL_LENGTH = 64;
const LINE_FEED = 10;
const MAX_HEAD_BYTES = 1000;

type Head = FrameEnd & { readonly sizes: readonly [number, number, number] };

/** Only text under a right seal comes here, so its shape is the supervisor's own. */
const headOf = (json: string): Head => JSON.parse(json);

/**
 * The one frame that a supervisor wrote to its standard output, or null: nothing, not all of it, more than it, or a seal that the
 * key does not make. Whoever shares the box could write to that output too, so only the seal says who did. Never throws.
 */
export function openFrame(bytes: Uint8Array, key: string): Frame | null {
  const end = bytes.subarray(0, MAX_HEAD_BYTES).indexOf(LINE_FEED);
  const line = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)));
  if (end === -1 || !line.startsWith(HEAD)) return null;
  const seal = line.slice(HEAD.length, HEAD.length + SEAL_LENGTH);
  const json = line.slice(HEAD.length + SEAL_LENGTH + 1);
  const body = bytes.subarray(end + 1);
  const hash = createHash('sha256').update(`${key}\n${json}\n`).update(body).update(`\n${key}`);
  if (hash.digest('hex') !== seal) return null;
  const { code, signal, timedOut, dropped, sizes } = headOf(json);
  const [report, stdout] = sizes;
  return {
    ...{ code, signal, timedOut, dropped },
    report: body.subarray(0, report),
    stdout: body.subarray(report, report + stdout),
    stderr: body.subarray(report + stdout),
  };
}
