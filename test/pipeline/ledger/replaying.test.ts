import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenLedger, openLedger } from '../../../pipeline/ledger/open.ts';
import { replaying } from '../../../pipeline/ledger/replaying.ts';

const stages = [
  { name: 'draft', needs: [], gives: ['task'] },
  { name: 'validate', needs: ['task'], gives: ['instance'] },
];
const bytes = (text: string) => new TextEncoder().encode(text);
const ended = (stage: string, ordinal: number, facts: object) =>
  ({
    kind: 'stage-ended',
    record: 'r',
    key: `r:${ordinal}`,
    body: { stage, ordinal, revision: 0, ending: 'done', facts },
  }) as const;

let folder = '';
let run: OpenLedger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const ledger = openLedger({ folder, mode: 'write', clock: { now: () => 1 } });
  ledger.note({ kind: 'record-opened', record: 'r', key: 'r', body: { facts: { seeds: 1 } } });
  ledger.put(bytes('tree'));
  ledger.note(ended('draft', 0, { task: { id: 't', files: { a: 1, b: 2 } } }));
  ledger.note(ended('validate', 1, { instance: 'i' }));
  ledger.close();
  run = openLedger({ folder, mode: 'read', clock: { now: () => 1 } });
});
afterEach(() => {
  run.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the same work again differs in nothing, and records stand where the replay has come to', () => {
  const replay = replaying(run);
  expect(replay.fold('r', stages)).toMatchObject({ next: 'draft', facts: { seeds: 1 } });
  replay.put(bytes('tree'));
  replay.note(ended('draft', 0, { task: { files: { b: 2, a: 1 }, id: 't' } }));
  expect(replay.fold('r', stages)).toMatchObject({ next: 'validate' });
  replay.note(ended('validate', 1, { instance: 'i' }));
  expect(replay.differences()).toEqual([]);
});

test('what came out otherwise is named down to its field, and so is what is missing or new', () => {
  const replay = replaying(run);
  const digest = replay.put(bytes('another tree'));
  replay.note(ended('draft', 0, { task: { id: 't', files: { a: 1, b: 3 } } }));
  replay.note(ended('draft', 7, {}));
  expect(new TextDecoder().decode(replay.get(digest))).toBe('another tree');
  expect(replay.differences()).toEqual([
    `blob ${digest}: the run stored no such bytes`,
    'stage-ended r:0: facts.task.files.b came out otherwise',
    'stage-ended r:7: the run has no such line',
    'stage-ended r:1: not reached again',
  ]);
});
