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

const asked = new Map<string, Promise<readonly string[]>>();

/** A box that could open a user namespace would be its superuser, close to more of the kernel than tests ever need. */
async function askShut(program: string): Promise<readonly string[]> {
  const shut = ['--unshare-user', '--disable-userns'];
  try {
    await run(program, [...shut, ...PROBE], { env: { PATH: STANDARD_PATH } });
    return shut;
  } catch {
    // Releases before 0.8 do not know the word, and one that is setuid may not use it.
    return [];
  }
}

/** What keeps commands of a box from opening user namespaces of their own; empty where this bwrap cannot. */
export async function shutArguments(program: string): Promise<readonly string[]> {
  const known = asked.get(program) ?? askShut(program);
  asked.set(program, known);
  return await known;
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
