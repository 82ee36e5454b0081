import { createHash } from 'node:crypto';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
const LINE_FEED = 10;
const SEAL_LENGTH = 64;

/** The JSON texts of a report's lines, or why they cannot be believed. `isCut`: bytes after the last line end. */
export type SealedLines =
  | { readonly ok: true; readonly texts: readonly string[]; readonly isCut: boolean }
  | { readonly ok: false };

/** SHA-256 over nonce, previous seal, record and nonce: whoever reads the file does not learn to write in it. */
function sealOf(nonce: string, previous: string, json: Uint8Array): string {
  const hash = createHash('sha256').update(`${nonce}\n${previous}\n`);
  return hash.update(json).update(`\n${nonce}`).digest('hex');
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end === -1) return;
    yield bytes.subarray(at, end);
    at = end + 1;
  }
}

/** The text of bytes that are UTF-8, else null. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Take a report apart and check every seal. One wrong seal spoils the whole: somebody else wrote in it. */
export function openLines(bytes: Uint8Array, nonce: string): SealedLines {
  const texts: string[] = [];
  let seal = '';
  for (const line of linesOf(bytes)) {
    const json = line.subarray(SEAL_LENGTH + 1);
    seal = sealOf(nonce, seal, json);
    const head = encoder.encode(`${seal} `);
    if (!head.every((byte, at) => byte === line[at])) return { ok: false };
    const text = textOf(json);
    if (text === null) return { ok: false };
    texts.push(text);
  }
  return { ok: true, texts, isCut: bytes.length > 0 && bytes.at(-1) !== LINE_FEED };
}
