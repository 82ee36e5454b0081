import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract as command } from '../../pipeline/commands/contract.ts';
import { isUsageError } from '../../pipeline/config/usage-problem.ts';
import { fakeClock } from './fake-clock.ts';
import { scratch } from './solver-copy.ts';

const digest = `sha256:${'0'.repeat(64)}`;
export const head = `contract: 1\nid: case\nbase: {manifest: ${digest}}\n`;

/** One call of the verb; files are written to a folder first. */
export async function call(argv: readonly string[]) {
  let [out, err] = ['', ''];
  const streams = {
    stdout: {
      write: (text: string) => {
        out += text;
      },
    },
    stderr: {
      write: (text: string) => {
        err += text;
      },
    },
    signal: new AbortController().signal,
    clock: fakeClock(),
  };
  try {
    const code = await command.run(argv, streams);
    return {
      code,
      out,
      err,
      last: JSON.parse(out.trim().split('\n').at(-1) ?? '') as Record<string, unknown>,
    };
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return { code: 2, out, err: error.message, last: {} };
  }
}

export const lines = (body: string) => `export function a() {\n  // BEGIN\n${body}  // END\n}\n`;

export function place(
  yaml: string,
  files: Record<string, string> = { 'a.ts': lines('  return 1;\n') },
) {
  const folder = scratch();
  const tree = (name: string, more: Record<string, string> = {}) => {
    const root = join(folder, name);
    for (const [path, text] of Object.entries({ ...files, ...more })) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  };
  const file = join(folder, 'c.yaml');
  writeFileSync(file, yaml);
  return { folder, file, tree };
}

export const regional = `${head}editable: [{file: a.ts, region: {start: "  // BEGIN", end: "  // END"}}]\n`;
export const pinned = ['--pin-base', '--json'];
