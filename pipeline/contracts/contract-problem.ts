/** One reason why there is no contract to work under: a closed code and where it stands. */
type ContractFault = { readonly code: string; readonly at: string; readonly detail: string };

const MARK = 'ContractProblem';
const MAX_LINES = 20;
const MAX_DETAIL = 300;

const shortened = (detail: string) =>
  detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}...` : detail;

type ContractProblem = Error & { readonly faults: readonly ContractFault[] };

/** An error that stops the work before anything is judged; the verb prints it and exits with 2. */
export function contractProblem(name: string, faults: readonly ContractFault[]): ContractProblem {
  const lines = faults
    .slice(0, MAX_LINES)
    .map(({ code, at, detail }) => `  ${code} at ${at}: ${shortened(detail)}`);
  if (faults.length > MAX_LINES) lines.push(`  and ${faults.length - MAX_LINES} more`);
  const message = `Contract ${name} failed:\n${lines.join('\n')}\nMend the contract; nothing was judged.`;
  return Object.assign(new Error(message), { name: MARK, faults });
}

export const isContractProblem = (error: unknown): error is ContractProblem =>
  error instanceof Error && error.name === MARK && 'faults' in error;
