// Loaded into every Node of a probed run (--import). Code of the tree calls `csw_ran` with the number of a statement, test files with
// their own name; what is new in a process or thread is appended to the file CSW_RAN at once, for a runner may end it at any time.
import { appendFileSync } from 'node:fs';
import module from 'node:module';
import vm from 'node:vm';
import { threadId } from 'node:worker_threads';

// biome-ignore lint/style/noProcessEnv: the one way into processes that other programs start.
const { CSW_RAN: out } = process.env;
const place = `${process.pid}-${threadId}-${process.hrtime.bigint()}`;
const known = new Set();

globalThis.csw_ran = (what) => {
  if (known.has(what)) return;
  known.add(what);
  const said = typeof what === 'number' ? { id: what } : { test: what };
  appendFileSync(out, `${JSON.stringify({ place, ...said })}\n`);
};

// Runners that give each test file a context of its own, as jest does, give it a global object of its own.
const { createContext } = vm;
vm.createContext = (...given) => {
  const context = createContext(...given);
  Object.defineProperty(context, 'csw_ran', { value: globalThis.csw_ran, configurable: true });
  return context;
};
module.syncBuiltinESMExports();
