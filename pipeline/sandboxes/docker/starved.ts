import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';

/** The kernel's own count, in the first and in the second version of control groups. */
const COUNTS = ['/sys/fs/cgroup/memory/memory.oom_control', '/sys/fs/cgroup/memory.events'];

async function printed(container: Docker.Container, script: string): Promise<string> {
  const exec = await container.exec({ AttachStdout: true, Cmd: ['/bin/sh', '-c', script] });
  const stream = await exec.start({});
  const out = new PassThrough();
  exec.modem.demuxStream(stream, out, new PassThrough());
  stream.on('end', () => out.end());
  let text = '';
  for await (const chunk of out) text += String(chunk);
  return text;
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
