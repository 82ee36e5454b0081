/** @module-tag prover */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../../support/contract-verb.ts';
import { scratch } from '../../support/solver-copy.ts';

const instance = 'seeds/rocq-lemmas/instances/height-le-size';
const file = 'theories/Trees.v';
const base = readFileSync(join(instance, 'base', file), 'utf8');

type Bodies = { readonly bodies: readonly { readonly text: string }[] };
const reference = JSON.parse(readFileSync(join(instance, 'reference.json'), 'utf8')) as Bodies;
const proved = base.replace(
  '(* BEGIN PROOF *)\n',
  `(* BEGIN PROOF *)\n${reference.bodies[0]?.text}`,
);

/** Everything is built, whatever the bytes say, so that the probe is heard. */
async function check(replace: string) {
  const folder = scratch();
  const [contract, proposal] = [join(folder, 'c.yaml'), join(folder, 'p.json')];
  const pack = readFileSync(join(instance, 'contract.yaml'), 'utf8');
  writeFileSync(contract, `${pack}order: measure\n`);
  const edits = [{ file, find: base, replace }];
  writeFileSync(proposal, JSON.stringify({ edits, create: [], delete: [] }));
  const argv = ['check', contract, '--base', `${instance}/base`, '--proposal', proposal];
  return await call([...argv, '--build', '--json']);
}

test('check with a build asks the prover whether the target still states the same', async () => {
  expect(await check(proved)).toMatchObject({
    code: 0,
    last: {
      verdict: 'conforms',
      conjuncts: { statement: true },
      assurance: { level: 'L6' },
      build: { status: 'true' },
    },
  });
  const changed = proved
    .replace('S (Nat.max (height l) (height r))', 'Nat.max (height l) (height r)')
    .replace('apply le_n_S. apply', 'apply Nat.le_le_succ_r. apply');
  const { code, last } = await check(changed);
  expect([code, last]).toMatchObject([
    1,
    { verdict: 'violates', conjuncts: { statement: false }, build: { status: 'true' } },
  ]);
  expect(last.reasons).toContainEqual(expect.objectContaining({ code: 'audit.statement' }));
});
