import { contractInWords } from '../../stages/contract/explain.ts';
import { refusalInWords, reportInWords } from '../../stages/contract/explain-report.ts';
import { type Arguments, defineCommand, type Io } from '../arguments.ts';
import { choices } from '../config/nearest.ts';
import { flagError } from '../config/usage-problem.ts';
import { buildStep } from '../contracts/build-step.ts';
import { type Checked, checkProposal, checkTree } from '../contracts/check-step.ts';
import { isContractProblem } from '../contracts/contract-problem.ts';
import { lintAll } from '../contracts/lint-step.ts';
import { assertSound, loadStep } from '../contracts/load-step.ts';
import { readContract } from '../contracts/read-contract.ts';
import { readReport } from '../contracts/read-report.ts';
import { exitCodes } from '../exit-codes.ts';

const options = {
  base: { kind: 'text', value: 'DIR', help: 'The tree before: a folder, or git:REPO@OBJECT.' },
  candidate: { kind: 'text', value: 'DIR', help: 'The tree after: a folder, or git:REPO@OBJECT.' },
  proposal: {
    kind: 'text',
    value: 'FILE',
    help: 'The candidate as a JSON proposal instead of a tree.',
  },
  reference: {
    kind: 'text',
    value: 'PATCH',
    help: 'A known right change, which must conform (lint).',
  },
  build: {
    kind: 'flag',
    help: 'Also build: the candidate (check), the base and the reference (lint).',
  },
  sandbox: {
    kind: 'text',
    value: 'NAME',
    help: 'Where builds run; bwrap by default.',
    oneOf: ['bwrap', 'docker', 'process'],
  },
  'pin-base': { kind: 'flag', help: 'Take the base that is given as the one the contract is for.' },
} as const;

type Args = Arguments<typeof options>;

const whats = ['lint', 'check', 'explain'];

/** Lints a contract, judges a candidate by it, or says either in words. Nothing is written. */
export const contract = defineCommand({
  name: 'contract',
  summary: 'check a change against an edit contract: what may change, and whether more did',
  usage:
    'pipeline contract lint C --base DIR | check C --base DIR --candidate DIR | explain C|REPORT',
  example:
    'pipeline contract check contract.yaml --pin-base --base git:.@origin/main --candidate git:.@HEAD',
  options,
  positionals: [
    { name: 'WHAT', help: 'lint, check or explain' },
    { name: 'C', help: 'a contract file; for explain also a report of check --json' },
  ],
  async run(args, io) {
    const [what = '', path = ''] = args.positionals;
    if (!whats.includes(what)) throw flagError('WHAT', choices(what, whats), `"${what}"`);
    assertUsed(what, args);
    try {
      if (what === 'explain') return explain(path, io);
      return what === 'lint' ? await lint(path, args, io) : await check(path, args, io);
    } catch (error) {
      if (!isContractProblem(error)) throw error;
      io.say(error.message);
      const [first] = error.faults;
      io.summarize({ error: { code: first?.code, at: first?.at }, faults: error.faults });
      return exitCodes.usage;
    }
  },
});

/** The flags that each word of the verb knows; others would be given in vain. */
const uses: Readonly<Record<string, readonly string[]>> = {
  lint: ['base', 'reference', 'build', 'sandbox', 'pin-base'],
  check: ['base', 'candidate', 'proposal', 'build', 'sandbox', 'pin-base'],
  explain: [],
};

function assertUsed(what: string, args: Args): void {
  const given = Object.entries({ ...args, json: false, quiet: false, help: false, positionals: [] })
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map(([name]) => name);
  const idle = given.find((name) => !uses[what]?.includes(name));
  if (idle === undefined) return;
  const known = (uses[what] ?? []).map((name) => `--${name}`).join(', ');
  throw flagError(`--${idle}`, `${known || 'no such flag'} with "contract ${what}"`, `"--${idle}"`);
}

function baseOf(args: Args): string {
  if (args.base === undefined) throw flagError('--base', 'a folder or git:REPO@OBJECT', 'nothing');
  return args.base;
}

async function lint(path: string, args: Args, io: Io): Promise<number> {
  const step = await loadStep(path, baseOf(args), args['pin-base']);
  try {
    const world = args.build ? worldOf(args, io) : null;
    const { findings, warnings } = await lintAll(step, args.reference, world);
    const line = ({ code, path: at, detail }: (typeof findings)[number]) =>
      `${code}${at === null ? '' : ` ${at}`}: ${detail}`;
    for (const finding of findings) io.print(line(finding));
    for (const warning of warnings) io.say(`warning ${line(warning)}`);
    if (findings.length === 0) io.print(`${path}: clean on base sha256:${step.base}`);
    io.summarize({ verb: 'contract lint', base: `sha256:${step.base}`, findings, warnings });
    return findings.length === 0 ? exitCodes.done : exitCodes.incomplete;
  } finally {
    await step.trees.close();
  }
}

const sandboxNames = ['bwrap', 'docker', 'process'] as const;

const worldOf = ({ sandbox }: Args, { clock, signal }: Io) => ({
  sandbox: sandboxNames.find((name) => name === sandbox) ?? 'bwrap',
  clock,
  signal,
});

async function check(path: string, args: Args, io: Io): Promise<number> {
  const { candidate, proposal } = args;
  if ((candidate === undefined) === (proposal === undefined))
    throw flagError(
      '--candidate',
      'either --candidate DIR or --proposal FILE',
      candidate ? 'both' : 'neither',
    );
  const step = await loadStep(path, baseOf(args), args['pin-base']);
  try {
    assertSound(step);
    if (args['pin-base'])
      io.say(
        `warning: the base sha256:${step.base} was taken as it is, not compared with the contract's`,
      );
    const checked =
      proposal === undefined
        ? await checkTree(step, candidate ?? '')
        : checkProposal(step, proposal);
    const whole = args.build ? await buildStep(step, checked, worldOf(args, io)) : checked;
    tell(whole, io);
    io.summarize(summaryOf(whole));
    const isBuilt = !args.build || whole.build.status === 'true';
    return whole.verdict === 'conforms' && isBuilt ? exitCodes.done : exitCodes.incomplete;
  } finally {
    await step.trees.close();
  }
}

/** The report's fields as they are, so that `explain` and other tools read one object. */
const summaryOf = ({ verdict, report, reasons, differences, discarded, build }: Checked) => ({
  verb: 'contract check',
  verdict,
  ...(report ?? { conforms: false, reasons }),
  differences,
  discarded,
  build,
});

function tell({ verdict, report, reasons, differences, build }: Checked, io: Io): void {
  io.print(`verdict    ${verdict}`);
  if (report === null) io.print(refusalInWords(reasons));
  else {
    io.print(`equation 2 ${report.conformsEq2}`);
    io.print(reportInWords(report, differences));
  }
  io.print(`build      ${build.status}`);
  for (const { code, detail } of build.reasons ?? []) io.print(`  ${code}: ${detail}`);
}

function explain(path: string, io: Io): number {
  const report = readReport(path);
  const words =
    report === null
      ? contractInWords(readContract(path, { isBasePinned: true }))
      : reportInWords(report, report.differences);
  io.print(words);
  const of = report === null ? 'contract' : 'report';
  io.summarize({ verb: 'contract explain', of, words: words.split('\n') });
  return exitCodes.done;
}
