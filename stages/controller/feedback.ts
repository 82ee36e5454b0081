import type { Contract } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { ContractReport } from '../../schemas/contract-report.ts';

const MAX_DIAGNOSTIC = 4000;

/** Head and tail of a long text; what is left out is said. */
export function shortened(text: string, most = MAX_DIAGNOSTIC): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}

/**
 * What a build said, as far as the contract lets the model see it: `full` is the normalised log, `ids` the codes with test ids,
 * `none` nothing. Hidden tests would leak through messages, so `ids` is the rule where an overlay is laid.
 */
export function buildDiagnostic(
  { visible, build: own }: Contract,
  { status, reasons }: Pick<ContractBuild, 'status' | 'reasons'>,
  log: string,
): string {
  const isHidden = typeof own === 'object' && own.overlay.length > 0;
  const wanted = visible.diagnostic ?? (isHidden ? 'ids' : 'full');
  if (wanted === 'none' || status === 'not-run') return '';
  const codes = reasons.map(({ code, detail }) => `${code}: ${detail}`).join('\n');
  return wanted === 'ids' ? codes : shortened(`${codes}\n\n${log}`.trim());
}

/** What the checker found, by code, region and place; never protected text. */
export const contractDiagnostic = ({ reasons }: Pick<ContractReport, 'reasons'>): string =>
  [
    'The answer was refused before it was built: it goes beyond what may be changed.',
    ...reasons.map(
      ({ code, path, at, detail }) =>
        `${code} ${path ?? ''}${at === null ? '' : ` byte ${at}`}: ${detail}`,
    ),
  ].join('\n');
