import { describe, expect, test } from 'vitest';
import { type Arguments, defineCommand, type Io } from '../../../pipeline/arguments.ts';
import { commands } from '../../../pipeline/commands/registry.ts';
import type { Verb } from '../../../pipeline/dispatch.ts';
import { Fault } from '../../../stages/fault.ts';
import { only, runCli } from './run-cli.ts';

const options = {
  batch: { kind: 'integer', value: 'N', help: 'How many.' },
  share: { kind: 'number', help: 'How much.' },
  mode: { kind: 'text', oneOf: ['history', 'forward'], help: 'Which.' },
  tag: { kind: 'list', value: 'TAG', help: 'Tags.' },
  force: { kind: 'flag', help: 'Do it.' },
} as const;

const verb = (run: (args: Arguments<typeof options>, io: Io) => Promise<number>) =>
  only(
    defineCommand({
      name: 'weave',
      summary: 'weave tasks',
      usage: 'pipeline weave SOURCE',
      example: 'pipeline weave seeds/token-bucket',
      options,
      positionals: [
        { name: 'SOURCE', help: 'a source' },
        { name: 'MORE', help: 'more', isOptional: true },
      ],
      run,
    }),
  );
const silent = verb(async () => 0);

test.each([[[]], [['--help']], [['help']], [['-h']]])(
  '%j lists every verb with one line',
  async (argv) => {
    const { code, stdout } = await runCli(argv, commands);
    expect(code).toBe(0);
    for (const [name, { summary }] of Object.entries<Verb>(commands)) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    }
  },
);

test('the registry says of a verb what the verb says of itself, and each has an example', async () => {
  for (const [name, { summary, load }] of Object.entries<Verb>(commands)) {
    const command = await load();
    expect([command.name, command.summary]).toEqual([name, summary]);
    const { code, stdout } = await runCli([name, '--help'], commands);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Example: {2}(npx )?pipeline /m);
  }
});

test('an unknown verb is refused with the nearest one', async () => {
  expect(await runCli(['wave'], silent)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'verb: expected one of weave (did you mean "weave"?), got "wave"\n',
  });
});

test('help of a verb shows flags, choices and the example, whatever else is wrong', async () => {
  const { code, stdout } = await runCli(['weave', '--batch', 'x', '--help'], silent);
  expect(code).toBe(0);
  expect(stdout).toContain('Example:  pipeline weave seeds/token-bucket');
  expect(stdout).toMatch(/--batch N +How many\./);
  expect(stdout).toMatch(/--mode VALUE +Which\. One of history, forward\./);
  expect(stdout).toMatch(/--json +Print one summary object/);
});

test('every wrong flag is named at once', async () => {
  const argv = [
    'weave',
    '--batch',
    'two',
    '--mode=histry',
    '--forse',
    '--share',
    '--force=1',
    'a',
    'b',
    'c',
  ];
  const { code, stderr } = await runCli(argv, silent);
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toEqual([
    '--batch: expected a whole number, got "two"',
    '--mode: expected one of history, forward (did you mean "history"?), got "histry"',
    expect.stringMatching(
      /^expected one of --batch, .*\(did you mean "--force"\?\), got "--forse"$/,
    ),
    '--share: expected a value, got "--force=1"',
    'expected nothing more, got "c"',
  ]);
});

test.each([
  [['weave'], 'SOURCE: expected a source, got nothing'],
  [['weave', 's', '--run', '--json'], '--run: expected a value NAME, got "--json"'],
  [['weave', 's', '--run='], '--run: expected a value NAME, got ""'],
  [['weave', 's', '--force=yes'], '--force: expected no value, got "yes"'],
  [['weave', 's', '--constructor'], 'got "--constructor"'],
])('%j is a usage error', async (argv, problem) => {
  const { code, stderr } = await runCli(argv, silent);
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
});

test('values arrive in their types', async () => {
  let seen: unknown;
  const argv = 'weave src --batch 3 --share 0.5 --tag a --tag b --force --run=demo more --seedless';
  await runCli(
    argv.split(' ').slice(0, -1),
    verb(async (args) => {
      seen = args;
      return 0;
    }),
  );
  expect(seen).toMatchObject({
    positionals: ['src', 'more'],
    batch: 3,
    share: 0.5,
    mode: undefined,
    tag: ['a', 'b'],
    force: true,
    run: 'demo',
    json: false,
    'dry-run': false,
  });
});

describe('how a verb ends', () => {
  test('its exit code passes, and --json prints the summary as the last line of stdout', async () => {
    const run = verb(async (_args, io) => {
      io.say('for people');
      io.summarize({ tasks: 2 });
      io.print('a line');
      return 1;
    });
    expect(await runCli(['weave', 's', '--json'], run)).toEqual({
      code: 1,
      stdout: 'a line\n{"tasks":2}\n',
      stderr: 'for people\n',
    });
    expect((await runCli(['weave', 's'], run)).stdout).toBe('a line\n');
  });

  test.each(['model-waiting', 'sandbox-missing', 'ledger-busy'] as const)(
    'a fault of the world (%s) is one line and 75',
    async (code) => {
      const run = verb(async () => {
        throw new Fault('Sandbox failed: no docker. Run "pipeline doctor".', { code });
      });
      expect(await runCli(['weave', 's', '--json'], run)).toEqual({
        code: 75,
        stdout: `{"error":{"code":"${code}","message":"Sandbox failed: no docker. Run \\"pipeline doctor\\"."}}\n`,
        stderr: 'Sandbox failed: no docker. Run "pipeline doctor".\n',
      });
    },
  );

  test('a bug is 70 with its stack', async () => {
    const run = verb(async () => {
      throw new TypeError('undefined is not a function');
    });
    const { code, stderr } = await runCli(['weave', 's'], run);
    expect(code).toBe(70);
    expect(stderr).toMatch(/TypeError: undefined is not a function\n {4}at /);
  });

  test('an aborted run is 130, and an abort that nobody asked for is a bug', async () => {
    const stop = new AbortController();
    const run = verb(async (_args, { signal }) => {
      signal.throwIfAborted();
      throw new DOMException('on its own', 'AbortError');
    });
    expect((await runCli(['weave', 's'], run, { signal: stop.signal })).code).toBe(70);
    stop.abort();
    expect((await runCli(['weave', 's'], run, { signal: stop.signal })).code).toBe(130);
  });
});
