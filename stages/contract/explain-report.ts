import type { ContractReport } from '../../schemas/contract-report.ts';
import { assuranceLine } from './assurance.ts';

/** The first bytes at which a protected text differs, both sides from the same place, and the few that both have in front. */
export type Difference = {
  readonly path: string;
  readonly at: number;
  /** Hex of what stands right before `at`, the same on both sides. */
  readonly before: string;
  /** Hex of a few bytes from `at` on; empty where the text ends. */
  readonly base: string;
  readonly candidate: string;
};

const groups: Readonly<Record<string, string>> = {
  tree: 'This is no tree that can be judged',
  path: 'A path was added, removed or changed its kind',
  create: 'A new file is not one of those that may be created',
  bytes: 'Protected bytes changed',
  region: 'A region does not keep to its border',
  text: 'The new text breaks the text policy',
  target: 'The target declaration is gone or stands twice',
  frame: 'Protected text would mean something else',
  forbidden: 'The change uses what is forbidden',
  scan: 'A file could not be read, which is never a pass',
  proposal: 'The proposal makes no candidate',
  audit: 'The statement that was to be proved is another one',
};

const groupOf = (code: string) => groups[code.split(/[.:]/u)[0] ?? ''] ?? 'The contract refuses it';

const place = (path: string | null, at: number | null) =>
  `${path === null ? '' : ` ${path}`}${at === null ? '' : `, byte ${at}`}`;

function printable(hex: string): string {
  const bytes = hex.match(/../gu) ?? [];
  return bytes
    .map((byte) => {
      const code = Number.parseInt(byte, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
    })
    .join('');
}

const spaced = (hex: string) => (hex.match(/../gu) ?? []).join(' ');

/** Both sides begin with the same bytes; a bar stands where they part. */
const shownSide = (before: string, hex: string) =>
  hex === ''
    ? `${spaced(before)} | (the text ends here)`
    : `${spaced(before)} | ${spaced(hex)}   ${printable(before)}|${printable(hex)}`;

const differenceLines = ({ path, at, before, base, candidate }: Difference) => [
  `  ${path} differs first at byte ${at}`,
  `    base       ${shownSide(before, base)}`,
  `    candidate  ${shownSide(before, candidate)}`,
];

type Reasons = ContractReport['reasons'];

const reasonLine = ({ code, path, at, detail }: Reasons[number]) =>
  `  ${code}${place(path, at)}: ${detail}`;

/** Why a candidate was refused, also where there is no tree that could be reported on. */
export function refusalInWords(reasons: Reasons): string {
  const groupNames = [...new Set(reasons.map(({ code }) => groupOf(code)))];
  const lines = groupNames.flatMap((name) => [
    `${name}:`,
    ...reasons.filter(({ code }) => groupOf(code) === name).map(reasonLine),
  ]);
  return ['The candidate is refused.', ...lines].join('\n');
}

/** Why a candidate was refused, or how far its acceptance reaches, in plain words. */
export function reportInWords(report: ContractReport, differences: readonly Difference[]): string {
  const { reasons, warnings, conforms } = report;
  return [
    conforms
      ? 'The candidate conforms: only what the contract authorises changed.'
      : refusalInWords(reasons),
    ...(differences.length > 0
      ? ['First differing bytes:', ...differences.flatMap(differenceLines)]
      : []),
    ...(warnings.length > 0 ? ['Told, not punished:', ...warnings.map(reasonLine)] : []),
    `Reach: ${assuranceLine(report.assurance)}.`,
    'This says nothing about whether the change is right; a build and its tests say that apart.',
  ].join('\n');
}
