/** Collects a stream in flat memory: the first and the last bytes are kept, what lies between is counted. */
export type CappedOutput = {
  take(chunk: Uint8Array): void;
  /** Head and tail, joined without a mark: the bytes are the command's own. */
  bytes(): Uint8Array;
  dropped(): number;
};

/** A sink for at most `maxBytes`, half of them from the start and half from the end. */
export function cappedOutput(maxBytes: number): CappedOutput {
  const headMax = Math.ceil(maxBytes / 2);
  const tail = ring(maxBytes - headMax);
  let head = new Uint8Array(0);
  let length = 0;
  return {
    take(chunk) {
      const fits = chunk.subarray(0, headMax - length);
      head = withRoom(head, length + fits.length, headMax);
      head.set(fits, length);
      length += fits.length;
      tail.take(chunk.subarray(fits.length));
    },
    bytes: () => Buffer.concat([head.subarray(0, length), tail.bytes()]),
    dropped: tail.dropped,
  };
}

/** Grows by doubling: a list of the pieces would cost a hundred bytes for every byte that comes alone. */
function withRoom(store: Uint8Array<ArrayBuffer>, needed: number, max: number) {
  if (needed <= store.length) return store;
  const grown = new Uint8Array(Math.min(max, Math.max(needed, 2 * store.length, 4096)));
  grown.set(store);
  return grown;
}

/** The last `size` bytes that came by. */
function ring(size: number): CappedOutput {
  let store = new Uint8Array(0);
  let seen = 0;
  return {
    take(chunk) {
      if (chunk.length === 0) return;
      // Most commands never overflow their head, so the room is taken at the first need.
      if (store.length < size) store = new Uint8Array(size);
      const kept = chunk.subarray(Math.max(0, chunk.length - size));
      const at = size === 0 ? 0 : (seen + chunk.length - kept.length) % size;
      const first = kept.subarray(0, size - at);
      store.set(first, at);
      store.set(kept.subarray(first.length), 0);
      seen += chunk.length;
    },
    bytes() {
      if (seen <= size) return store.slice(0, seen);
      const at = size === 0 ? 0 : seen % size;
      return Buffer.concat([store.subarray(at), store.subarray(0, at)]);
    },
    dropped: () => Math.max(0, seen - size),
  };
}
