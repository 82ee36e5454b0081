import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Fault } from '../../../stages/fault.ts';
import { findOnPath, STANDARD_PATH } from '../host/toolchain.ts';

const run = promisify(execFile);
const PROBE = ['--unshare-all', '--ro-bind', '/', '/', 'true'];

const missing = () =>
  new Fault(
    'bwrap sandbox failed to start: bwrap is not installed. Install bubblewrap, or choose --sandbox docker.',
    { code: 'sandbox-missing' },
  );

/** The bwrap program of this host. Throws the Fault `sandbox-missing` where there is none. */
export async function findBwrap(host: Readonly<Record<string, string>>): Promise<string> {
  const path = [host.PATH, STANDARD_PATH].filter((part) => part !== undefined).join(':');
  const program = await findOnPath('bwrap', path);
  if (program === null) throw missing();
  return program;
}

/** Try one empty box. Throws a Fault that names the remedy where namespaces are forbidden. */
export async function requireBwrap(host: Readonly<Record<string, string>>): Promise<string> {
  const program = await findBwrap(host);
  try {
    await run(program, PROBE, { env: { PATH: STANDARD_PATH } });
    return program;
  } catch (cause) {
    const said =
      cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    const message = `bwrap sandbox failed to start: ${said}. Allow user namespaces (sysctl user.max_user_namespaces, or an AppArmor profile for bwrap), or choose --sandbox docker.`;
    throw new Fault(message, { code: 'sandbox-forbidden', cause });
  }
}
