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

const REPORT = '/csw/report.jsonl';

/** The frame of pipeline/runs/supervise.mjs, sealed by `key`. */
function sealedFrame(key: string, end: Exit, report: Uint8Array): Buffer {
  const { code, signal, timedOut, droppedBytes: dropped, stdout, stderr } = end;
  const sizes = [report.length, stdout.length, stderr.length];
  const json = JSON.stringify({ code, signal, timedOut, sizes, dropped });
  const body = Buffer.concat([report, stdout, stderr]);
  const seal = sha256(
    Buffer.concat([Buffer.from(`${key}\n${json}\n`), body, Buffer.from(`\n${key}`)]),
  );
  return Buffer.concat([Buffer.from(`csw-frame ${seal} ${json}\n`), body]);
}

/** The supervisor without a machine: the suite's report is what `play` leaves at the place of a report. */
async function supervised(
  files: FakeFiles,
  play: Play,
  argv: readonly string[],
  input: Uint8Array,
) {
  const [nonce = '', key = ''] = Buffer.from(input).toString().split('\n');
  files.set(`${REPORT}.nonce`, { kind: 'file', bytes: Buffer.from(nonce) });
  const end = {
    ...quiet,
    ...(await play(
      files,
      argv.slice(argv.findIndex((word) => word.endsWith('supervise.mjs')) + 2),
    )),
  };
  const stdout = sealedFrame(key, end, files.get(REPORT)?.bytes ?? new Uint8Array());
  return { ...quiet, ...(end.outOf === undefined ? {} : { outOf: end.outOf }), stdout };
}

/**
 * A box without a machine: `play` stands for the suite's command, which reads its nonce beside the report. Paths below `/csw/` are
 * outside of the tree.
 */
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
        exec: (argv, { stdin = new Uint8Array() }) => supervised(files, play, argv, stdin),
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
