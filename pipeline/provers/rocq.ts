import { randomBytes } from 'node:crypto';
import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Box, Exit } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { composeFile, entryIds, spansOf } from '../../stages/contract/regions.ts';
import { Fault } from '../../stages/fault.ts';
import type { Prover } from '../contract-builds/prover.ts';

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 16 * 1024 * 1024;
const CLOSED = 'Closed under the global context';

const said = ({ stdout, stderr }: Exit) =>
  Buffer.from(stdout).toString('utf8') + Buffer.from(stderr).toString('utf8');

async function run(box: Box, argv: readonly string[], signal: AbortSignal): Promise<Exit> {
  const exit = await box.exec(argv, { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_BYTES }, signal);
  if (exit.code === 127)
    throw new Fault(`${argv[0]} failed: it is not there. Install Coq ("apt-get install coq").`, {
      code: 'environment-failed',
    });
  return exit;
}

const commandsOf = ({ build }: Contract) => (typeof build === 'object' ? build.commands : []);

/** The mapping of folders to logical names that the build itself uses, with absolute folders. */
function loadPath(contract: Contract, workdir: string): string[] {
  const argv = commandsOf(contract).find(({ argv: [program] }) => program === 'coqc')?.argv ?? [];
  return argv.flatMap((word, at) =>
    word === '-Q' || word === '-R'
      ? ['-Q', `${workdir}/${argv[at + 1] ?? ''}`, argv[at + 2] ?? '']
      : [],
  );
}

type Target = { readonly library: string; readonly name: string };

function targetOf(contract: Contract, workdir: string): Target {
  const declared = contract.target?.declarations[0];
  if (declared === undefined)
    throw new Fault(`Audit of ${contract.id} failed: its contract names no target. Add one.`, {
      code: 'environment-failed',
    });
  const prefix = loadPath(contract, workdir)[2] ?? '';
  const stem = declared.file.replace(/^.*\//u, '').replace(/\.v$/u, '');
  const library = `${prefix}.${stem}`;
  return { library, name: `${library}.${declared.name}` };
}

/**
 * A script in a process of its own that loads the built objects; its output between two lines that carry a nonce. The candidate's
 * file is never appended to, and its notations are not imported. Null where the script failed.
 */
async function asked(
  box: Box,
  contract: Contract,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const nonce = randomBytes(16).toString('hex');
  const mark = (word: string) => `Goal True. idtac "${nonce} ${word}". Abort.`;
  const script = `question_${nonce}.v`;
  const { library } = targetOf(contract, box.workdir);
  const body = [`Require ${library}.`, mark('begin'), ...lines, mark('end'), ''].join('\n');
  await box.write([{ path: `${box.outside}/${script}`, kind: 'file', bytes: Buffer.from(body) }]);
  const exit = await run(
    box,
    ['coqc', ...loadPath(contract, box.workdir), `${box.outside}/${script}`],
    signal,
  );
  if (exit.code !== 0) return null;
  const [, inner] =
    new RegExp(`${nonce} begin\\s*\\n([\\s\\S]*?)${nonce} end`, 'u').exec(said(exit)) ?? [];
  return inner?.trim() ?? null;
}

const reason = (code: 'axiom' | 'recheck', detail: string): Reason => ({
  code: `audit.${code}`,
  path: null,
  at: null,
  detail,
});

/** What the second checker must say of every object: its exit status alone does not tell of checks that were switched off. */
const sound = [
  'Constants/Inductives relying on type-in-type: <none>',
  'Constants/Inductives relying on unsafe (co)fixpoints: <none>',
  'Inductives whose positivity is assumed: <none>',
];

/** Names of assumptions, by the lines that begin one; anything else than the known answers counts as an assumption. */
function axiomsIn(answer: string | null): string[] {
  if (answer === CLOSED) return [];
  if (answer === null) return ['(no answer)'];
  const [head, ...rest] = answer.split('\n');
  if (head?.trim() !== 'Axioms:') return ['(an answer that is not understood)'];
  return rest.flatMap((line) => /^(\S+)\s*(?::|$)/u.exec(line)?.[1] ?? []);
}

async function audit(box: Box, contract: Contract, signal: AbortSignal) {
  const allowed = new Set(contract.semantic?.rocq?.axioms_allowed);
  const { library, name } = targetOf(contract, box.workdir);
  const answer = await asked(box, contract, [`Print Assumptions ${name}.`], signal);
  const axioms = axiomsIn(answer);
  const bad = axioms.filter((axiom) => !allowed.has(axiom));
  const checker = [
    'coqchk',
    '-silent',
    '-o',
    ...loadPath(contract, box.workdir),
    '-norec',
    library,
  ];
  const rechecked = await run(box, checker, signal);
  const isSound = rechecked.code === 0 && sound.every((line) => said(rechecked).includes(line));
  const recheck = isSound ? ('passed' as const) : ('failed' as const);
  return {
    audit: { axioms, recheck },
    reasons: [
      ...bad.map((axiom) => reason('axiom', `${name} rests on ${axiom}`)),
      ...(recheck === 'failed' ? [reason('recheck', said(rechecked).trim().slice(-300))] : []),
    ],
  };
}

/** The base has no proof: every region becomes empty, and the sentence that would close its proof admits it instead. */
async function stub(box: Box, contract: Contract): Promise<void> {
  const ids = entryIds(contract);
  const entries = contract.editable.map((entry, at) => ({ id: ids[at] ?? '', entry }));
  for (const file of new Set(contract.editable.map((entry) => entry.file))) {
    const bytes = await box.read(file, MAX_BYTES);
    const spans =
      bytes === null
        ? null
        : spansOf(
            entries.filter(({ entry }) => entry.file === file),
            bytes,
          );
    if (bytes === null || spans === null || 'code' in spans) continue;
    const empty = new Map(spans.map(({ id }) => [id, new Uint8Array()]));
    let text = Buffer.from(composeFile(spans, bytes, empty)).toString('utf8');
    for (const { markers } of spans) {
      const end = text.indexOf(Buffer.from(markers[1] ?? []).toString('utf8'));
      text = text.slice(0, end) + text.slice(end).replace(/\b(?:Qed|Defined)\./u, 'Admitted.');
    }
    await box.write([{ path: file, kind: 'file', bytes: Buffer.from(text) }]);
  }
}

async function isBuilt(box: Box, contract: Contract, signal: AbortSignal): Promise<boolean> {
  const writable =
    typeof contract.build === 'object' ? contract.build.writable.map(({ path }) => path) : [];
  await run(box, ['mkdir', '-p', ...writable, '.'], signal);
  for (const { argv } of commandsOf(contract))
    if ((await run(box, argv, signal)).code !== 0) return false;
  return true;
}

const printing = ['Set Printing All.', 'Set Printing Width 10000.', 'Set Printing Depth 10000.'];
const MAX_ROUNDS = 20;

/** A name with its library, as Coq prints what was required and not imported. */
const qualified = /(?<![\p{L}\p{N}_.'])[A-Z][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)+/gu;

/** The statement, and every constant that it mentions, directly or through another, each as its kernel term is printed. */
async function closure(box: Box, contract: Contract, signal: AbortSignal): Promise<string | null> {
  const { name } = targetOf(contract, box.workdir);
  const parts = [await asked(box, contract, [...printing, `Check ${name}.`], signal)];
  const known = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (parts.includes(null)) return null;
    const mentioned = parts.flatMap((text) => text?.match(qualified) ?? []);
    const fresh = [...new Set(mentioned)].filter((one) => !known.has(one)).toSorted();
    // The target itself is asked by its type alone: its proof may differ, and does.
    const printable = fresh.filter((one) => !name.endsWith(`.${one}`));
    if (printable.length === 0) return parts.join('\n\n');
    for (const one of fresh) known.add(one);
    const questions = printable.map((one) => `Print ${one}.`);
    parts.push(await asked(box, contract, [...printing, ...questions], signal));
  }
  throw new Fault(
    `Statement probe of ${contract.id} failed: its definitions go deeper than ${MAX_ROUNDS} steps.`,
    { code: 'environment-failed' },
  );
}

/**
 * Coq as Debian ships it (8.16.1): `coqc` builds, `coqchk` checks the objects again, and a process of its own asks for assumptions
 * and statement. Source: contracts.md 9.4.
 */
export const rocq: Prover = {
  name: 'rocq',
  async version(box, signal) {
    const exit = await run(box, ['coqc', '--version'], signal);
    const version = /version (\S+)/u.exec(said(exit))?.[1];
    if (version !== undefined) return version;
    throw new Fault('coqc failed: it does not say its version. Install Coq again.', {
      code: 'environment-failed',
    });
  },
  audit,
  async fingerprint(box, contract, options, signal) {
    if (options.stub) await stub(box, contract);
    if (!(await isBuilt(box, contract, signal))) return null;
    const text = await closure(box, contract, signal);
    return text === null ? null : sha256(text);
  },
};
