import { expect, test } from 'vitest';
import { createProgress } from '../../../pipeline/progress.ts';

function screen(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { written, isTTY, columns, write: (text: string) => written.push(text) };
}
function clock() {
  const time = { now: 0 };
  return { time, now: () => time.now };
}
const clear = '\r\u001b[2K';

test('a terminal has one line that is rewritten, at most ten times a second', () => {
  const shown = screen(true);
  const { time, now } = clock();
  const progress = createProgress(shown, { now });
  for (let done = 1; done <= 50; done++) {
    progress.step('validate', done, 50);
    time.now += 10;
  }
  progress.end();
  expect(shown.written).toEqual([
    ...[1, 11, 21, 31, 41, 50].map((done) => `${clear}validate ${done}/50`),
    clear,
  ]);
});

test('a line that stays pushes the rewritten one down', () => {
  const shown = screen(true);
  const progress = createProgress(shown, clock());
  progress.step('solve', 1, 4);
  progress.line('task-1 solved');
  progress.end();
  expect(shown.written.join('')).toBe(`${clear}solve 1/4${clear}task-1 solved\nsolve 1/4${clear}`);
});

test('a narrow terminal is not wrapped', () => {
  const shown = screen(true, 10);
  createProgress(shown, clock()).step('a long label', 1);
  expect(shown.written).toEqual([`${clear}a long la`]);
});

test('elsewhere a new label, the end of a count and every fifth second are plain lines', () => {
  const shown = screen(false);
  const { time, now } = clock();
  const progress = createProgress(shown, { now });
  for (let done = 1; done <= 8; done++) {
    progress.step('mine', done);
    time.now += 1000;
  }
  progress.step('draft', 1, 2);
  progress.step('draft', 2, 2);
  progress.line('done');
  progress.end();
  expect(shown.written).toEqual(['mine 1\n', 'mine 6\n', 'draft 1/2\n', 'draft 2/2\n', 'done\n']);
});

test('quiet says nothing', () => {
  const shown = screen(true);
  const progress = createProgress(shown, clock(), true);
  progress.step('mine', 1);
  progress.line('x');
  progress.end();
  expect(shown.written).toEqual([]);
});
