import type { EnvironmentSpec, Runner } from '../../schemas/environment.ts';

/** The reporter files of a runner: the first is run, the others are its own modules. All lie beside the report. */
export const reporterNames = {
  'node-test': ['node-test.mjs', 'node-together.mjs', 'stream.mjs'],
  vitest: ['vitest.mjs', 'stream.mjs'],
  unittest: ['unittest_report.py', 'report_stream.py'],
  pytest: ['pytest_report.py', 'report_stream.py'],
} as const satisfies Record<Runner, readonly string[]>;

/**
 * The command that runs `files` (relative to the work folder, where it starts) and writes the report at `reportPath`.
 * Before it runs there must be a one-use nonce in `<reportPath>.nonce`, the reporter's files in the report's folder, and no report.
 */
export function runnerArgv(
  {
    runner,
    args,
    together,
  }: Pick<EnvironmentSpec, 'runner' | 'args'> & Partial<Pick<EnvironmentSpec, 'together'>>,
  files: readonly string[],
  reportPath: string,
): string[] {
  const folder = reportPath.slice(0, reportPath.lastIndexOf('/'));
  const script = `${folder}/${reporterNames[runner][0]}`;
  switch (runner) {
    case 'node-test':
      // Node's own flags reach the process of each file; arguments after the script would not.
      return ['node', ...args, script, reportPath, ...(together ? ['--together'] : []), ...files];
    case 'vitest':
      return ['node', script, reportPath, ...args, '--', ...files];
    case 'unittest':
      return ['python3', ...args, script, reportPath, ...files];
    case 'pytest':
      return ['python3', script, reportPath, ...args, '--', ...files];
  }
}
