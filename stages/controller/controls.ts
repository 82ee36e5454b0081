import type { Contract } from '../../schemas/contract.ts';
import type { Outcome } from '../../schemas/outcome.ts';
import type { EditsProposal } from '../../schemas/proposal.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { Ledger } from '../context.ts';
import { readTree } from '../contract/conforms.ts';
import { outcomeOf } from '../contract/outcome.ts';
import { profileOf } from '../contract/profiles/registry.ts';
import { composeFile, entryIds, spansOf } from '../contract/regions.ts';
import { declarationsOf } from '../contract/target.ts';
import { utf8 } from '../contract/text.ts';
import { makeCandidate } from '../solve/candidate.ts';
import type { Proposal } from '../solve/proposal.ts';
import { judgeStep } from './judge.ts';
import type { Builder } from './ports.ts';

/** A candidate whose class is known beforehand. */
export type Control = {
  readonly name: 'reference' | 'weakened' | 'hollow';
  readonly expected: Outcome;
  readonly outcome: Outcome;
};

type Step = {
  readonly contract: Contract;
  readonly base: string;
  readonly reference: Proposal;
};

type Ports = {
  readonly builder: Builder;
  readonly ledger: Pick<Ledger, 'put' | 'get'>;
  readonly parse: Parse;
  readonly signal: AbortSignal;
};

/** What ends with status 0 and does nothing, by profile; for provers the hole. */
const hollows: Readonly<Record<string, string>> = {
  typescript: 'process.exit(0);\n',
  python: '    import os; os._exit(0)\n',
  rocq: '  admit.\n',
  isabelle: '  sorry\n',
  lean4: '  sorry\n',
};

const trivialProofs: Readonly<Record<string, string>> = {
  rocq: '  exact I.\n',
  isabelle: '  by simp\n',
  lean4: '  trivial\n',
};

const encoder = new TextEncoder();

/** The edited file of a contract with every region's body replaced. */
function withBodies(
  { contract, base }: Step,
  body: string,
  { ledger }: Ports,
): { file: string; text: string } {
  const ids = entryIds(contract);
  const file = contract.editable[0]?.file ?? '';
  const entries = contract.editable
    .map((entry, at) => ({ id: ids[at] ?? '', entry }))
    .filter(({ entry }) => entry.file === file);
  const bytes = ledger.get(readTree(base, ledger.get).get(file)?.sha256 ?? '');
  const spans = spansOf(entries, bytes);
  if ('code' in spans) throw new Error(`contract unfit for its base: ${spans.code}`);
  const bodies = new Map(spans.map(({ id }) => [id, encoder.encode(body)]));
  return { file, text: utf8(composeFile(spans, bytes, bodies)) ?? '' };
}

/** One file of the base with another text, as edits that replace all of it. */
function rewritten(
  step: Step,
  { file, text }: { file: string; text: string },
  { ledger }: Ports,
): Proposal {
  const old = utf8(ledger.get(readTree(step.base, ledger.get).get(file)?.sha256 ?? '')) ?? '';
  const value: EditsProposal = {
    edits: [{ file, find: old, replace: text }],
    create: [],
    delete: [],
  };
  return { kind: 'edits', value };
}

/** The proposition becomes `True`, which its proof proves: accepted by the prover, and not what was to be shown. */
function weakenedProof(step: Step, profile: string, ports: Ports): Proposal {
  const target = step.contract.target?.declarations[0];
  const made = withBodies(step, trivialProofs[profile] ?? '', ports);
  const tree = readTree(step.base, ports.ledger.get);
  const found = target && declarationsOf(target, tree, ports.ledger.get, ports.parse)?.[0];
  if (target === undefined || !found) throw new Error('a control needs a target');
  const head = new RegExp(`(\\b${target.name}\\b\\s*:)[^]*?(\\.\\s)`, 'u');
  const at = made.text.indexOf(target.name);
  const text = made.text.slice(0, at) + made.text.slice(at).replace(head, '$1 True$2');
  return rewritten(step, { file: made.file, text }, ports);
}

/** The reference, and one blank line more at the end of a protected file. */
function weakenedCode(step: Step, ports: Ports): Proposal | null {
  const { contract, base, reference } = step;
  const editable = new Set(contract.editable.map(({ file }) => file));
  const spare = [...readTree(base, ports.ledger.get).values()].find(
    ({ path, kind, size }) =>
      kind === 'file' &&
      size > 0 &&
      !editable.has(path) &&
      /\.(?:[cm]?[jt]sx?|py|md|txt)$/u.test(path) &&
      !/test/u.test(path),
  );
  if (spare === undefined || reference.kind !== 'edits') return null;
  const old = utf8(ports.ledger.get(spare.sha256)) ?? '';
  const edit = { file: spare.path, find: old, replace: `${old}\n` };
  return { kind: 'edits', value: { ...reference.value, edits: [...reference.value.edits, edit] } };
}

const profileName = ({ editable }: Contract) =>
  profileOf(editable[0]?.file ?? '', editable[0]?.profile).name;

async function outcomeOn(step: Step, proposal: Proposal, ports: Ports): Promise<Outcome> {
  const contract = { ...step.contract, order: 'measure' as const };
  const made = makeCandidate({ contract, base: step.base }, proposal, ports.ledger);
  if (!made.ok) return 'invalid-candidate';
  const judged = await judgeStep(
    { contract, base: step.base, candidate: made.tree },
    { ...ports, read: ports.ledger.get },
  );
  const facts = { attempt: 1, candidate: made.tree, ...judged };
  return outcomeOf([facts]);
}

/** Whether a contract forbids what the hollow candidate does. */
const forbidsHollow = ({ forbidden }: Contract) =>
  forbidden.packs.some((pack) => /\/(?:exit|holes|capri)$/u.test(pack));

/**
 * The three controls of an instance, judged like any candidate and always with `measure`: proof that this instance can tell the
 * classes apart, and that its Build is more than an exit status. Source: contracts.md 16.
 */
export async function runControls(step: Step, ports: Ports): Promise<Control[]> {
  const profile = profileName(step.contract);
  const weakened =
    profile in trivialProofs ? weakenedProof(step, profile, ports) : weakenedCode(step, ports);
  const hollow = rewritten(step, withBodies(step, hollows[profile] ?? '', ports), ports);
  const controls: Control[] = [
    {
      name: 'reference',
      expected: 'valid-success',
      outcome: await outcomeOn(step, step.reference, ports),
    },
    {
      name: 'hollow',
      expected: forbidsHollow(step.contract) ? 'rejected-violation' : 'safe-failure',
      outcome: await outcomeOn(step, hollow, ports),
    },
  ];
  if (weakened === null) return controls;
  const outcome = await outcomeOn(step, weakened, ports);
  return [...controls, { name: 'weakened', expected: 'false-success', outcome }];
}
