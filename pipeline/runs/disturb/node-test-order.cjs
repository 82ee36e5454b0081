// Stands for node:test in a run whose tests come in another order (CSW_ORDER: `reverse`, or the seed of a shuffle). What a file or a
// suite defines in one go waits until it is all there and is then handed on, rearranged; hooks and everything else pass through.
const { AsyncLocalStorage } = require('node:async_hooks');
const real = require('node:test');
const { getCallSites } = require('node:util');
const vm = require('node:vm');

// biome-ignore lint/style/noProcessEnv: the one way into processes that other programs start.
const order = process.env.CSW_ORDER;

/** Numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(Number(order) || 0);

function rearranged(list) {
  if (order === 'reverse') return list.toReversed();
  const all = [...list];
  for (let last = all.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [all[last], all[at]] = [all[at], all[last]];
  }
  return all;
}

/** The suite whose body runs; none at the top of a file and inside of tests. */
const suites = new AsyncLocalStorage();
const top = [];

const handOn = (waiting) => {
  // A test must not find the suite that defined it, or what it defines itself would wait for ever.
  for (const call of rearranged(waiting.splice(0))) suites.exit(call);
};

function later(call) {
  const waiting = suites.getStore() ?? top;
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        resolve(call());
      } catch (error) {
        reject(error);
      }
    });
    if (waiting === top && top.length === 1) queueMicrotask(() => handOn(top));
  });
}

/** A suite's body that hands on what it defined once it has defined all of it. */
const collecting = (body) =>
  function collected(...given) {
    const waiting = [];
    const ended = suites.run(waiting, () => body.apply(this, given));
    if (typeof ended?.then === 'function') return ended.then(() => handOn(waiting));
    return handOn(waiting);
  };

const callers = new Map();

/** node:test asks the stack where a test is defined, so it must be called from there: from a function that says it stands there. */
function callerAt({ scriptName, lineNumber }) {
  const place = `${scriptName}:${lineNumber}`;
  const made =
    callers.get(place) ??
    vm.runInThisContext('(define, given) => define(...given)', {
      filename: scriptName,
      lineOffset: lineNumber - 1,
    });
  callers.set(place, made);
  return made;
}

const ordered = (define, change) => {
  const wrapped = (...given) => {
    const [, site] = getCallSites(2);
    return later(() => callerAt(site)(define, given.map(change)));
  };
  for (const name of ['skip', 'todo', 'only', 'expectFailure'])
    if (typeof define[name] === 'function') wrapped[name] = ordered(define[name], change);
  return wrapped;
};

const asIs = (given) => given;
const asSuite = (given) => (typeof given === 'function' ? collecting(given) : given);
const test = ordered(real.test, asIs);
const suite = ordered(real.describe, asSuite);

module.exports = test;
Object.assign(module.exports, { ...real, ...test });
// Named one by one, so that they can be imported by name.
module.exports.test = test;
module.exports.it = ordered(real.it, asIs);
module.exports.describe = suite;
module.exports.suite = suite;
module.exports.only = test.only;
module.exports.skip = test.skip;
module.exports.todo = test.todo;
module.exports.before = real.before;
module.exports.after = real.after;
module.exports.beforeEach = real.beforeEach;
module.exports.afterEach = real.afterEach;
module.exports.mock = real.mock;
module.exports.snapshot = real.snapshot;
module.exports.assert = real.assert;
module.exports.run = real.run;
