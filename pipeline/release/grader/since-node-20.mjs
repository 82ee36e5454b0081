// The checker is written for newer runtimes; Node 18 lacks these four. Loaded before everything else.
const copying = {
  toSorted(compare) {
    return this.slice().sort(compare);
  },
  toReversed() {
    return this.slice().reverse();
  },
};

for (const type of [Array, Uint8Array]) {
  for (const [name, value] of Object.entries(copying)) {
    if (name in type.prototype) continue;
    Object.defineProperty(type.prototype, name, { value, writable: true, configurable: true });
  }
}
