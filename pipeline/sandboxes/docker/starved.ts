import type Docker from 'dockerode';
import { cappedOutput } from '../host/capped-output.ts';
import { demultiplex } from './frames.ts';

/** The kernel's own count, in the first and in the second version of control groups. */
const COUNTS = ['/sys/fs/cgroup/memory/memory.oom_control', '/sys/fs/cgroup/memory.events'];

const MOST_BYTES = 65_536;

async function printed(container: Docker.Container, script: string): Promise<string> {
  const exec = await container.exec({ AttachStdout: true, Cmd: ['/bin/sh', '-c', script] });
  const stdout = cappedOutput(MOST_BYTES);
  await demultiplex(await exec.start({}), { stdout, stderr: cappedOutput(0) });
  return Buffer.from(stdout.bytes()).toString();
}

/**
 * Whether something in a container was ended for want of memory since its start. The daemon's own mark speaks of PID 1 alone, so
 * while that lives the kernel is asked.
 */
export async function isStarved(container: Docker.Container): Promise<boolean> {
  const { Running, OOMKilled } = (await container.inspect()).State;
  if (!Running) return OOMKilled;
  const counts = await printed(container, `cat ${COUNTS.join(' ')} 2>/dev/null`);
  return /^oom_kill [1-9]/m.test(counts);
}
