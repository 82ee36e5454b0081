import { expect, test } from 'vitest';
import type { EditsProposal } from '../../../../schemas/proposal.ts';
import { makeCandidate } from '../../../../stages/solve/candidate.ts';
import { contractFor, keepFiles } from '../../../support/contract-case.ts';
import { lruBase, lruContract } from '../../../support/lru-fixture.ts';
import { memoryLedger } from '../../../support/memory-ledger.ts';

function made(parts: Partial<EditsProposal>) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, lruBase);
  const contract = contractFor(base, { ...lruContract, interface: 'edits' });
  const value = { edits: [], create: [], delete: [], ...parts };
  return makeCandidate({ contract, base }, { kind: 'edits', value }, ledger);
}

const create = (file: string) => ({ create: [{ file, text: 'x\n' }] });
const edit = (file: string) => ({ edits: [{ file, find: 'return 0;', replace: 'return 1;' }] });

test.each<[string, Partial<EditsProposal>]>([
  ['47: a path that climbs', create('../x')],
  ['48: an absolute path', edit('/testbed/src/lru.ts')],
  ['49: a path with an empty component', edit('src//lru.ts')],
  ['49: a path with a dot component', edit('./src/lru.ts')],
  ['50: a component of 256 bytes', create('x'.repeat(256))],
  ['50: a path of 4097 bytes', create(`${'x/'.repeat(2048)}y`)],
])('case %s makes no candidate', (_, proposal) => {
  expect(made(proposal)).toMatchObject({ ok: false, code: 'proposal.path' });
});

test('an edit of a protected file makes a candidate, which is then judged', () => {
  const proposal = { edits: [{ file: 'src/clock.ts', find: '=> 1', replace: '=> 2' }] };
  expect(made(proposal)).toMatchObject({ ok: true });
});
