import type { Clock } from '../stages/context.ts';
import { usageError } from './config/usage-problem.ts';
import { helpText } from './help-text.ts';
import { createProgress, type Progress, type Screen } from './progress.ts';
import { misplaced, type Option, type Options, type Positional, readFlags } from './read-flags.ts';

type Value<O extends Option> = O['kind'] extends 'flag'
  ? boolean
  : O['kind'] extends 'integer' | 'number'
    ? number | undefined
    : O['kind'] extends 'list'
      ? readonly string[]
      : string | undefined;

/** Flags that every verb has. */
const commonOptions = {
  run: { kind: 'text', value: 'NAME', help: 'Name of the run, a folder below out/.' },
  out: { kind: 'text', value: 'DIR', help: 'Folder of all runs instead of out/.' },
  json: { kind: 'flag', help: 'Print one summary object as the last line of stdout.' },
  'dry-run': { kind: 'flag', help: 'Say what would be done and spent, and do nothing.' },
  quiet: { kind: 'flag', help: 'No progress.' },
  help: { kind: 'flag', help: 'This text.' },
} as const satisfies Options;

type Values<O extends Options> = { readonly [Name in keyof O]: Value<O[Name]> };

/** What the user asked for, parsed. Positionals keep their order. */
export type Arguments<O extends Options> = Values<O & typeof commonOptions> & {
  readonly positionals: readonly string[];
};

/** The world of one verb. */
export type Io = {
  /** Aborted by the first Ctrl-C: drain what is under way and return. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly progress: Progress;
  /** A line for people, on stderr. */
  say(text: string): void;
  /** A line of what the verb is for, on stdout. */
  print(text: string): void;
  /** The summary object, which `--json` prints as the last line of stdout. */
  summarize(summary: object): void;
};

/** What the CLI lends a verb. */
export type Streams = {
  readonly stdout: Pick<Screen, 'write'>;
  readonly stderr: Screen;
  readonly signal: AbortSignal;
  readonly clock: Clock;
};

/** A verb, ready to be called with what stands behind it on the command line. Returns an exit code. */
export type Command = {
  readonly name: string;
  readonly summary: string;
  run(argv: readonly string[], streams: Streams): Promise<number>;
};

type Spec<O extends Options> = {
  readonly name: string;
  /** One line, the same as in the registry. */
  readonly summary: string;
  readonly usage: string;
  readonly example: string;
  readonly options: O;
  readonly positionals: readonly Positional[];
  run(args: Arguments<O>, io: Io): Promise<number>;
};

/** A verb with its flags, checked as a whole before it runs: every wrong flag is named at once. */
export function defineCommand<O extends Options>(spec: Spec<O>): Command {
  const options: Options = { ...spec.options, ...commonOptions };
  return {
    name: spec.name,
    summary: spec.summary,
    async run(argv, streams) {
      const parsed = readFlags(argv, options);
      if (parsed.values.help === true) {
        streams.stdout.write(helpText({ ...spec, options }));
        return 0;
      }
      const problems = [...parsed.problems, ...misplaced(parsed.positionals, spec.positionals)];
      if (problems.length > 0) throw usageError(problems);
      const args = { ...parsed.values, positionals: parsed.positionals } as Arguments<O>;
      return withIo(streams, parsed.values, (io) => spec.run(args, io));
    },
  };
}

async function withIo(
  { stdout, stderr, signal, clock }: Streams,
  values: Record<string, unknown>,
  work: (io: Io) => Promise<number>,
): Promise<number> {
  const progress = createProgress(stderr, clock, values.quiet === true);
  const says = createProgress(stderr, clock);
  let summary: object | null = null;
  try {
    return await work({
      signal,
      clock,
      progress,
      say(text) {
        progress.end();
        says.line(text);
      },
      print: (text) => {
        stdout.write(`${text}\n`);
      },
      summarize(object) {
        summary = object;
      },
    });
  } finally {
    progress.end();
    if (values.json === true && summary !== null) stdout.write(`${JSON.stringify(summary)}\n`);
  }
}
