import type { Box, BoxFile, Exit, Sandbox } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';

/** The files of a box in memory, by path. */
export type FakeFiles = Map<string, Pick<BoxFile, 'kind' | 'bytes'>>;
type Play = (files: FakeFiles, argv: readonly string[]) => Partial<Exit> | Promise<Partial<Exit>>;

const quiet: Exit = {
  code: 0,
  signal: null,
  timedOut: false,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  droppedBytes: 0,
};

/** A box without a machine: `play` stands for the command. Paths below `/csw/` are outside of the tree. */
export function fakeSandbox(play: Play, change: Partial<Box> = {}): Sandbox {
  return {
    prepare: () => Promise.reject(new Error('nothing to prepare here')),
    use(_environment, _signal, work) {
      const files: FakeFiles = new Map();
      const inTree = () => [...files].filter(([path]) => !path.startsWith('/'));
      return work({
        workdir: '/testbed',
        outside: '/csw',
        deps: '/deps',
        exec: async (argv) => ({ ...quiet, ...(await play(files, argv)) }),
        read: (path) => Promise.resolve(files.get(path)?.bytes ?? null),
        write(written) {
          for (const { path, kind, bytes } of written) files.set(path, { kind, bytes });
          return Promise.resolve();
        },
        tree: () =>
          Promise.resolve(
            inTree().map(([path, { kind, bytes }]) => {
              return { path, kind, sha256: sha256(bytes), size: bytes.length };
            }),
          ),
        ...change,
      });
    },
  };
}
