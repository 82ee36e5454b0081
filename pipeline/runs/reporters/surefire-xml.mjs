// The cases of one report file of surefire. A reader for what surefire writes, not for XML at large: no entity but the five.
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const plain = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

// Comments and character data are taken whole, so that output which looks like a result is not one.
const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([\w:.-]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const attributesOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [
      name,
      plain(double ?? single),
    ]),
  );

const MEANINGS = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
  flakyFailure: 'flaky',
  flakyError: 'flaky',
};

function opened(state, name, attributes, isWhole) {
  if (name === 'testcase') {
    state.at = { ...attributesOf(attributes), statuses: [], message: null };
    state.cases.push(state.at);
    if (isWhole) state.at = null;
  } else if (state.at !== null && MEANINGS[name] !== undefined) {
    state.at.statuses.push(MEANINGS[name]);
    const { message, type } = attributesOf(attributes);
    state.at.message ??= message ?? type ?? null;
  }
}

/** Every `testcase`: its class and name, what was told of it, and whether the file was read to its end. */
export function readCases(text) {
  const state = { cases: [], at: null, isWhole: false };
  for (const [, slash, name, attributes = '', whole] of text.matchAll(TOKEN)) {
    if (name === undefined) continue;
    if (slash === '') opened(state, name, attributes, whole === '/');
    else if (name === 'testcase') state.at = null;
    else if (name === 'testsuite') state.isWhole = true;
  }
  return { cases: state.cases, isWhole: state.isWhole };
}
