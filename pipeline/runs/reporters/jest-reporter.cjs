// Loaded by jest in its own process before any test. It takes the stream that jest.mjs left, and leaves none behind:
// tests run in processes of their own, and a second copy of this file would find nothing.
const key = Symbol.for('codespecweave.jest');
const send = globalThis[key];
delete globalThis[key];

module.exports = class {
  onTestResult(_test, result) {
    send.file(result);
  }

  onRunComplete(_contexts, { runExecError }) {
    send.end(runExecError);
  }
};
