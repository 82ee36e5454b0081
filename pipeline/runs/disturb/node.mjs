// Loaded into every Node of a disturbed run (--import). CSW_AHEAD: seconds that the clock is ahead. CSW_ORDER with CSW_ROOT: test
// files below that folder get a node:test that runs its tests in another order. What took place is told in the file CSW_TOLD.
import { appendFileSync } from 'node:fs';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

// biome-ignore lint/style/noProcessEnv: the one way into processes that other programs start.
const { CSW_AHEAD: ahead, CSW_ORDER: order, CSW_ROOT: root, CSW_TOLD: told } = process.env;

function tell(what) {
  try {
    appendFileSync(told, `${what}\n`);
  } catch {
    // A test may have taken the folder away; the first process has told by then.
  }
}

/** Its source is run in other contexts too, so it must not use anything around it. Timers and monotonic clocks stay as they are. */
function shiftDate(scope, ms) {
  const Real = scope.Date;
  const { now } = Real;
  const shifted = () => now() + ms;
  const Shown = new Proxy(Real, {
    construct: (target, given, as) =>
      Reflect.construct(target, given.length === 0 ? [shifted()] : given, as),
    apply: () => new Shown().toString(),
  });
  const hidden = { configurable: true, writable: true, enumerable: false };
  Object.defineProperty(Real, 'now', { ...hidden, value: shifted });
  Object.defineProperty(Real.prototype, 'constructor', { ...hidden, value: Shown });
  Object.defineProperty(scope, 'Date', { ...hidden, value: Shown });
}

if (ahead !== undefined) {
  const ms = Number(ahead) * 1000;
  shiftDate(globalThis, ms);
  const code = `(${shiftDate})(globalThis, ${ms})`;
  const { createContext } = vm;
  const known = new WeakSet();
  // Runners that give each test file a context of its own give it a clock of its own.
  vm.createContext = (...given) => {
    const context = createContext(...given);
    if (!known.has(context)) vm.runInContext(code, context);
    known.add(context);
    return context;
  };
  module.syncBuiltinESMExports();
  tell('clock');
}

if (order !== undefined && module.registerHooks !== undefined) {
  const own = `${pathToFileURL(root)}/`;
  const url = new URL('node-test-order.cjs', import.meta.url).href;
  module.registerHooks({
    resolve: (name, context, next) =>
      name === 'node:test' && context.parentURL?.startsWith(own)
        ? { url, format: 'commonjs', shortCircuit: true }
        : next(name, context),
  });
  tell('order');
}
