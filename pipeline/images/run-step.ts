import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Fault } from '../../stages/fault.ts';

const LAST_LINES = 12;

/** Run one step of a build on the host, its lines into `log`. Throws a Fault with the step and its last lines. */
export async function runStep(
  name: string,
  argv: readonly string[],
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const [program = '', ...rest] = argv;
  const last: string[] = [];
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'], signal });
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    log(line);
    last.push(line);
    if (last.length > LAST_LINES) last.shift();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  const message = `Base image failed at "${name}" (exit ${code}): ${last.join(' | ')}. Mend that and run "pipeline image base" again.`;
  throw new Fault(message, { code: 'environment-failed' });
}
