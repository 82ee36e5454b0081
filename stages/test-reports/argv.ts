import type { EnvironmentSpec, Runner } from '../../schemas/environment.ts';

/** The reporter files of a runner: the first is run, the others are its own modules. All lie beside the report. */
export const reporterNames = {
  'node-test': ['node-test.mjs', 'node-together.mjs', 'stream.mjs'],
  vitest: ['vitest.mjs', 'stream.mjs'],
  jest: ['jest.mjs', 'jest-reporter.cjs', 'stream.mjs'],
  mocha: ['mocha.mjs', 'stream.mjs'],
  ava: ['ava.mjs', 'tap-lines.mjs', 'programs.mjs', 'stream.mjs'],
  unittest: ['unittest_report.py', 'report_stream.py'],
  pytest: ['pytest_report.py', 'report_stream.py'],
  'go-test': ['go-test.mjs', 'programs.mjs', 'stream.mjs'],
  'cargo-test': ['cargo-test.mjs', 'cargo-targets.mjs', 'programs.mjs', 'stream.mjs'],
  'maven-surefire': ['maven-surefire.mjs', 'surefire-xml.mjs', 'programs.mjs', 'stream.mjs'],
} as const satisfies Record<Runner, readonly string[]>;

type Suite = Pick<EnvironmentSpec, 'runner' | 'args'> &
  Partial<Pick<EnvironmentSpec, 'together' | 'workdir'>>;

/**
 * The command that runs `files` (relative to the work folder, where it starts) and writes the report at `reportPath`.
 * Before it runs there must be a one-use nonce in `<reportPath>.nonce`, the reporter's files in the report's folder, and no report.
 */
export function runnerArgv(suite: Suite, files: readonly string[], reportPath: string): string[] {
  const { workdir } = suite;
  if (workdir === undefined) return plainArgv(suite, files, reportPath);
  const own = files.map((file) => fromFolder(file, workdir));
  return ['env', '-C', workdir, `CSW_BELOW=${workdir}/`, ...plainArgv(suite, own, reportPath)];
}

/** A path of the tree as it is spelled in a folder of the tree. */
const fromFolder = (file: string, folder: string) =>
  file.startsWith(`${folder}/`)
    ? file.slice(folder.length + 1)
    : `${'../'.repeat(folder.split('/').length)}${file}`;

function plainArgv(
  { runner, args, together }: Suite,
  files: readonly string[],
  reportPath: string,
): string[] {
  const folder = reportPath.slice(0, reportPath.lastIndexOf('/'));
  const script = `${folder}/${reporterNames[runner][0]}`;
  switch (runner) {
    case 'node-test':
      // Node's own flags reach the process of each file; arguments after the script would not.
      return ['node', ...args, script, reportPath, ...(together ? ['--together'] : []), ...files];
    case 'unittest':
      return ['python3', ...args, script, reportPath, ...files];
    case 'pytest':
      return ['python3', script, reportPath, ...args, '--', ...files];
    default:
      return ['node', script, reportPath, ...args, '--', ...files];
  }
}
