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
  const head: Uint8Array[] = [];
  const tail = ring(maxBytes - headMax);
  let headLength = 0;
  return {
    take(chunk) {
      const fits = chunk.subarray(0, headMax - headLength);
      if (fits.length > 0) head.push(fits.slice());
      headLength += fits.length;
      tail.take(chunk.subarray(fits.length));
    },
    bytes: () => Buffer.concat([...head, tail.bytes()]),
    dropped: tail.dropped,
  };
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
      const at = seen % size || 0;
      return Buffer.concat([store.subarray(at), store.subarray(0, at)]);
    },
    dropped: () => Math.max(0, seen - size),
  };
}
