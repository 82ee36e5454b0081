import type { TreeEntry } from '../../schemas/tree.ts';
import { modeOf } from '../../stages/contract/manifest.ts';

type Entry = { readonly entry: TreeEntry; readonly bytes: Uint8Array };

/** One commit that holds exactly these entries, as a `git fast-import` command. Folders without files have no place in git. */
export function commitStream(ref: string, entries: readonly Entry[]): Buffer {
  const files = entries.filter(({ entry }) => entry.kind !== 'dir');
  const head = `reset ${ref}\ncommit ${ref}\ncommitter codespecweave <codespecweave@invalid> 0 +0000\ndata 0\n\n`;
  return Buffer.concat([Buffer.from(head), ...files.flatMap(modifyLine), Buffer.from('\n')]);
}

function modifyLine({ entry, bytes }: Entry): Buffer[] {
  const name = Buffer.from(quoted(entry.path));
  if (entry.kind === 'gitlink') {
    return [
      Buffer.from('M 160000 '),
      Buffer.from(bytes),
      Buffer.from(' '),
      name,
      Buffer.from('\n'),
    ];
  }
  const data = Buffer.from(`\ndata ${bytes.length}\n`);
  return [
    Buffer.from(`M ${modeOf(entry.kind)} inline `),
    name,
    data,
    Buffer.from(bytes),
    Buffer.from('\n'),
  ];
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '"': '\\"', '\\': '\\\\' };

/** Always quoted: an unquoted path may not begin with a quote nor hold a line break. */
const quoted = (path: string): string =>
  `"${path.replace(/[\n"\\]/g, (character) => ESCAPES[character] ?? character)}"`;
