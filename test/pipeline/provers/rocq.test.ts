/** @module-tag prover */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LoadedInstance, loadInstance } from '../../../pipeline/experiments/instance.ts';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { checkConforms, readTree } from '../../../stages/contract/conforms.ts';
import { manifestText } from '../../../stages/contract/manifest.ts';
import { runControls } from '../../../stages/controller/controls.ts';
import { judgeStep } from '../../../stages/controller/judge.ts';
import { makeCandidate } from '../../../stages/solve/candidate.ts';
import { buildBench } from '../../support/contract-build.ts';

const pack = 'seeds/rocq-lemmas';
const ids = readdirSync(join(pack, 'instances')).toSorted();
const bench = buildBench('bwrap', {});
const parse = await openParse();
const { ledger, builder, signal } = bench;
const ports = { builder, ledger, parse, signal, read: ledger.get };

type Notes = {
  readonly stratum: string;
  readonly difficulty: string;
  readonly intended_failure: { readonly file: string; readonly says: string };
};

const notesOf = (id: string) =>
  JSON.parse(readFileSync(join(pack, 'instances', id, 'notes.json'), 'utf8')) as Notes;
const load = (id: string): Promise<LoadedInstance> =>
  loadInstance(
    pack,
    { id, path: `instances/${id}`, stratum: 'controlled', difficulty: 'local' },
    ledger,
    parse,
  );
const logOf = (name: string | null) => new TextDecoder().decode(ledger.get(name ?? ''));

test('there are twelve tasks: six of each origin, four of each difficulty', () => {
  const count = (key: 'stratum' | 'difficulty') => {
    const counts: Record<string, number> = {};
    for (const notes of ids.map(notesOf)) counts[notes[key]] = (counts[notes[key]] ?? 0) + 1;
    return counts;
  };
  expect(count('stratum')).toEqual({ historical: 6, controlled: 6 });
  expect(count('difficulty')).toEqual({ local: 4, intermediate: 4, structural: 4 });
});

describe.concurrent.each(ids)('%s', (id) => {
  test('its base fails for the intended reason and not because it cannot start', async () => {
    const { contract, base } = await load(id);
    const built = await builder.build({ contract, tree: base }, signal);
    const { file, says } = notesOf(id).intended_failure;
    const log = logOf(built.logNormalisedBlob).replaceAll(/\s+/g, ' ');
    expect([built.status, built.reasons.map(({ code }) => code)]).toEqual([
      'false',
      ['build.exit'],
    ]);
    expect(log).toContain(`File "./_build/${file}"`);
    expect(log).toContain(says);
  });

  test('its three controls come out in their classes', async () => {
    const { contract, base, reference } = await load(id);
    const controls = await runControls({ contract, base, reference }, ports);
    expect(controls.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['reference', 'valid-success'],
      ['hollow', 'rejected-violation'],
      ['weakened', 'false-success'],
    ]);
  });
});

/** A candidate of one instance with some of its files rewritten, past the check of bytes. */
async function rewritten(id: string, edit: (path: string, text: string) => string) {
  const { contract, base, reference } = await load(id);
  const made = makeCandidate({ contract, base }, reference, ledger);
  if (!made.ok) throw new Error('the reference makes no candidate');
  const entries = [...readTree(made.tree, ledger.get).values()].map((entry) => {
    const bytes = new TextEncoder().encode(
      edit(entry.path, new TextDecoder().decode(ledger.get(entry.sha256))),
    );
    return { ...entry, size: bytes.length, sha256: ledger.put(bytes) };
  });
  return { contract, base, tree: ledger.put(manifestText(entries)) };
}

describe('soundness belongs to Build, the statement to Conforms', () => {
  test('case A11: a definition that was changed under equal text of the statement is found by the probe', async () => {
    const step = await rewritten('height-le-size', (path, text) =>
      path.endsWith('Trees.v')
        ? text
            .replace('S (Nat.max (height l) (height r))', 'Nat.max (height l) (height r)')
            .replace('apply le_n_S. apply', 'apply Nat.le_le_succ_r. apply')
        : text,
    );
    const verdict = await builder.probe(step, signal);
    expect(verdict?.same).toBe(false);
    const report = checkConforms({ ...step, candidate: step.tree, read: ledger.get, parse });
    expect(report.conforms).toBe(false);
  });

  test('the reference states what the base stated', async () => {
    const step = await rewritten('height-le-size', (_, text) => text);
    expect((await builder.probe(step, signal))?.same).toBe(true);
  });

  test('a proof that rests on an axiom builds in coqc and is no Build', async () => {
    const step = await rewritten('mirror-mirror', (path, text) =>
      path.endsWith('Trees.v')
        ? text
            .replace('Lemma mirror_mirror', 'Axiom any : forall P : Prop, P.\nLemma mirror_mirror')
            .replace(
              /BEGIN PROOF \*\)[\s\S]*?\(\* END/u,
              'BEGIN PROOF *)\n  intros t. apply any.\n(* END',
            )
        : text,
    );
    const built = await builder.build(step, signal);
    expect([built.status, built.commands.every(({ exit }) => exit === 0)]).toEqual(['false', true]);
    expect(built.reasons.map(({ code }) => code)).toContain('audit.axiom');
    expect(built.audit?.axioms).toEqual(['Trees.any']);
  });

  test('a check that was switched off is found by the second checker', async () => {
    const step = await rewritten('mirror-mirror', (path, text) =>
      path.endsWith('Trees.v')
        ? text
            .replace(
              'Lemma mirror_mirror',
              'Unset Guard Checking.\nFixpoint spin (n : nat) : False := spin n.\nSet Guard Checking.\nLemma mirror_mirror',
            )
            .replace(
              /BEGIN PROOF \*\)[\s\S]*?\(\* END/u,
              'BEGIN PROOF *)\n  intros t. destruct (spin 0).\n(* END',
            )
        : text,
    );
    const built = await builder.build(step, signal);
    expect(built.status).toBe('false');
    expect(built.reasons.some(({ code }) => code.startsWith('audit.'))).toBe(true);
  });

  test('a whole judgement reaches L6', async () => {
    const { contract, base, reference } = await load('turn-join');
    const made = makeCandidate({ contract, base }, reference, ledger);
    if (!made.ok) throw new Error('the reference makes no candidate');
    const { report } = await judgeStep({ contract, base, candidate: made.tree }, ports);
    expect(report.assurance).toMatchObject({ level: 'L6', missing: [] });
  });
});
