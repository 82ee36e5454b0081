import type { Environment, EnvironmentSpec } from '../../../schemas/environment.ts';
import type { ExecOptions, Exit } from '../../../stages/context.ts';
import type { BoxFolder } from './box-folder.ts';
import type { Places } from './pins.ts';
import type { ReadOnly } from './read-only.ts';

/** What a box is opened for. */
export type Opening = {
  readonly folder: BoxFolder;
  readonly spec: EnvironmentSpec;
  /** Host folder of the kept dependencies, null where nothing was asked for. */
  readonly deps: string | null;
  /** Install steps have network, write into `deps` and see how the host reaches its registries. */
  readonly isInstall: boolean;
  /** The image to start from, as `Backend.image` named it; null where the host's own system is shown. */
  readonly image: string | null;
};

/** One command, with its folder and environment as they are inside the box. */
export type Command = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Show the work folder read-only but for some places below it; null: writable as a whole. */
  readonly readOnly: ReadOnly | null;
  /** Limits below the box's own; empty: the box's own. */
  readonly most: NonNullable<ExecOptions['most']>;
};
export type Limits = Pick<ExecOptions, 'timeoutMs' | 'stdin' | 'maxOutputBytes'>;

/** An open box, before it is lent. */
export type Opened = {
  readonly places: Places;
  run(command: Command, limits: Limits, signal: AbortSignal): Promise<Exit>;
  /** Ends whatever still runs; may be called again. */
  close(): Promise<void>;
};

/** What differs between the sandboxes; folders, files, preparation and lifetimes are shared. */
export type Backend = {
  readonly name: Environment['sandbox'];
  /** The exact image that a spec asks for, so that a name that moves later changes nothing. */
  image?(spec: EnvironmentSpec): Promise<string>;
  open(opening: Opening, signal: AbortSignal): Promise<Opened>;
};
