// What lines of TAP 13 as ava writes them say, test by test.
const TEST = /^(not )?ok (\d+)(?: - (.*?))?(?: # (SKIP|TODO)\b.*)?$/;
const PLAN = /^1\.\.(\d+)/;
const FIELD = /^ {4}(name|message): (.*)$/;

const unquoted = (text) => text.replace(/^(['"])(.*)\1$/, '$2');

/** Details of the test before them. Whether the line was one of theirs. */
function takeDetail(state, line) {
  const wasInside = state.isInside;
  if (/^ {2}---$/.test(line)) state.isInside = true;
  else if (/^ {2}\.\.\.$/.test(line)) state.isInside = false;
  const [, field, value] = FIELD.exec(line) ?? [];
  const test = state.tests.at(-1);
  if (wasInside && field !== undefined && test !== undefined) test[field] = unquoted(value);
  return wasInside || state.isInside;
}

/** A reader of lines. `tests` in order; `isWhole`: the plan came and counts them. */
export function tapReader() {
  const state = { tests: [], plan: null, isInside: false };
  return {
    take(line) {
      if (takeDetail(state, line)) return;
      state.plan = PLAN.exec(line)?.[1] ?? state.plan;
      const test = TEST.exec(line);
      if (test === null) return;
      const [, not, , title = '', directive] = test;
      state.tests.push({ title, isOk: not === undefined, directive, name: null, message: null });
    },
    end: () => ({
      tests: state.tests,
      isWhole: state.plan !== null && Number(state.plan) === state.tests.length,
    }),
  };
}
