import type { Contract } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Assurance, Conjuncts, Level } from '../../schemas/contract-report.ts';

type State = 'holds' | 'fails' | 'vacuous' | { readonly missing: string };

const verdict = (value: boolean | null, otherwise: State): State =>
  value === null ? otherwise : value ? 'holds' : 'fails';

const both = (left: boolean | null, right: boolean | null) =>
  left === null && right === null ? null : left !== false && right !== false;

const isRegional = ({ editable }: Contract) => editable.some(({ region }) => region !== undefined);

/** L5: the build ran where the candidate could not reach its report, and the tree was the same afterwards. */
function isolated(build: ContractBuild | null): State {
  if (build === null || build.status === 'not-run') return { missing: 'not built' };
  if (build.sandbox === 'process') return { missing: 'sandbox process isolates nothing' };
  if (build.reportChannel === 'file') return { missing: 'report in reach of the candidate' };
  return build.status === 'true' ? 'holds' : 'fails';
}

function audited(
  contract: Contract,
  build: ContractBuild | null,
  statement: boolean | null,
): State {
  if (contract.semantic === undefined) return { missing: 'not defined for code' };
  if (build === null || build.audit === null || statement === null) return { missing: 'no audit' };
  return build.status === 'true' && statement ? 'holds' : 'fails';
}

/** What a frame that nobody looked at means. */
function frameless(contract: Contract, isDecomposed: boolean): State {
  if (!isRegional(contract)) return 'vacuous';
  return { missing: isDecomposed ? 'no frame asked for' : 'not evaluated' };
}

function statesOf(
  contract: Contract,
  conjuncts: Conjuncts,
  build: ContractBuild | null,
): readonly (readonly [Level, State])[] {
  const { tree, projection, region, target, text, forbidden } = conjuncts;
  const frame = frameless(contract, projection === true && region === true);
  const bytes = tree && projection === true && region === true && target !== false;
  const noPack: State = { missing: 'no pack chosen' };
  const hasPack = contract.forbidden.packs.length > 0;
  return [
    ['L0', bytes ? 'holds' : 'fails'],
    ['L1', verdict(text, { missing: 'not evaluated' })],
    ['L2', verdict(conjuncts.frameLexical, frame)],
    ['L3', verdict(both(conjuncts.frameSyntactic, conjuncts.regionKind), frame)],
    ['L4', hasPack ? verdict(forbidden, { missing: 'not evaluated' }) : noPack],
    ['L5', isolated(build)],
    ['L6', audited(contract, build, conjuncts.statement)],
  ];
}

/** How far a verdict reaches, and what nobody looked at. Source: contracts.md 13. */
export function assuranceOf(
  contract: Contract,
  conjuncts: Conjuncts,
  build: ContractBuild | null,
): Assurance {
  const states = statesOf(contract, conjuncts, build);
  const good = (state: State) => state === 'holds' || state === 'vacuous';
  const broken = states.findIndex(([, state]) => !good(state));
  const reached = broken === -1 ? states.length : broken;
  const above = states.slice(reached);
  return {
    level: states[reached - 1]?.[0] ?? null,
    extra: reached === 0 ? [] : above.flatMap(([level, state]) => (good(state) ? [level] : [])),
    missing: states.flatMap(([level, state]) =>
      typeof state === 'object' ? [{ level, why: state.missing }] : [],
    ),
    vacuous: states.flatMap(([level, state]) => (state === 'vacuous' ? [level] : [])),
    reportChannel: build?.reportChannel ?? null,
  };
}

/** An assurance in one line, as every verdict prints it. */
export function assuranceLine({
  level,
  extra,
  missing,
  vacuous,
  reportChannel,
}: Assurance): string {
  const whys = [...new Set(missing.map(({ why }) => why))].map(
    (why) =>
      `${missing.flatMap((one) => (one.why === why ? [one.level] : [])).join(', ')} missing: ${why}`,
  );
  const notes = [
    ...(extra.length > 0 ? [extra.map((one) => `+${one}`).join(' ')] : []),
    ...whys,
    ...(vacuous.length > 0 ? [`${vacuous.join(', ')} vacuous: whole files`] : []),
  ];
  const tail = reportChannel === null ? '' : ` · report ${reportChannel}`;
  return `${level ?? 'none'}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}${tail}`;
}

/** How far the checker reaches for a candidate that keeps to a contract, before anything is built. */
export function checkedLevel(contract: Contract): string {
  const regions = contract.editable.filter(({ region }) => region !== undefined);
  const asks = (name: 'lexical' | 'syntactic') =>
    regions.some(({ frame }) => frame === undefined || frame.includes(name)) ? true : null;
  const kept: Conjuncts = {
    tree: true,
    projection: true,
    region: true,
    text: true,
    target: true,
    frameLexical: asks('lexical'),
    frameSyntactic: asks('syntactic'),
    regionKind: asks('syntactic'),
    forbidden: true,
    statement: null,
  };
  return assuranceLine(assuranceOf(contract, kept, null));
}
