import type { EnvironmentSpec, Runner } from '../../schemas/environment.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';

/** A file of a release: its path from the release's root with `/`, its bytes, and whether it is executable. */
export type ExportFile = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly exec?: boolean;
};

/** A file that travels with a grader; `path` is its name in the grader's folder. */
export type Asset = { readonly path: string; readonly bytes: Uint8Array };

/** What the exporters cannot read themselves: the grader's source and the runners' own reporters. */
export type ExportAssets = {
  readonly grader: readonly Asset[];
  /** By runner; `path` is a bare file name. */
  readonly reporters: Readonly<Record<Runner, readonly Asset[]>>;
  /** The command of one suite run, its report at `reportPath` and its reporter beside it. */
  readonly suiteArgv: (
    spec: EnvironmentSpec,
    files: readonly string[],
    reportPath: string,
  ) => readonly string[];
};

/** Everything that decides a release beside its records. Equal options and inputs give equal bytes. */
export type ExportOptions = {
  /** Name of the release, `[a-z0-9-]`; also the data set's short name. */
  readonly release: string;
  readonly version: string;
  /** Owner part of names such as `org/name`. */
  readonly org: string;
  readonly split: 'train' | 'test';
  readonly generatorVersion: string;
  readonly ledgerHead: string | null;
  readonly allowNoLicence: boolean;
  /** Refuse what has no image with a digest. */
  readonly requirePinned: boolean;
  /** Images by task id, each `name@sha256:…`. */
  readonly images: Readonly<
    Record<string, { readonly environment: string; readonly verifier: string }>
  >;
  readonly assets: ExportAssets;
};

/** One format: why a record cannot be carried by it, and the files that carry all records. Pure. */
export type Exporter = {
  readonly format: string;
  check(input: ReleaseInput, options: ExportOptions): Rejection[];
  files(inputs: readonly ReleaseInput[], options: ExportOptions): Iterable<ExportFile>;
};
