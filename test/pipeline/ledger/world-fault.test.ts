import { expect, test } from 'vitest';
import { touching } from '../../../pipeline/ledger/world-fault.ts';
import { Fault } from '../../../stages/fault.ts';

const broken = (fields: object) => () => {
  throw Object.assign(new Error('broke'), fields);
};

test.each([
  [{ code: 'ENOSPC' }, 'disk-full', 'Free some space'],
  [{ code: 'EDQUOT' }, 'disk-full', 'Free some space'],
  [{ code: 'EACCES' }, 'out-not-writable', 'Give write permission'],
  [{ code: 'EROFS' }, 'out-not-writable', 'Give write permission'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 5 }, 'ledger-busy', 'Wait for the other process'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'disk-full', 'Free some space'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 14 }, 'out-not-writable', 'Give write permission'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 26 }, 'ledger-damaged', 'start again under another'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 1 | (8 << 8) }, null, ''],
  [{ code: 'ENOENT' }, null, ''],
])('%j is the fault %s', (fields, code, remedy) => {
  const work = () => touching('Writing x', broken(fields));
  if (code === null) expect(work).toThrow(/^broke$/);
  else {
    const message = expect.stringMatching(new RegExp(`^Writing x failed: broke\\. .*${remedy}`));
    expect(work).toThrow(expect.objectContaining({ code, message }));
  }
});

test('a fault passes untouched', () => {
  const fault = new Fault('busy', { code: 'ledger-busy' });
  const work = () =>
    touching('Writing x', () => {
      throw fault;
    });
  expect(work).toThrow(fault);
});
