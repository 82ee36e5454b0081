import { expect, test } from 'vitest';
import { bootstrapArguments } from '../../../pipeline/images/bootstrap.ts';
import { runStep } from '../../../pipeline/images/run-step.ts';

const inputs = {
  named: {
    recipe: 1,
    architecture: 'x64',
    release: 'bookworm',
    packages: ['bash', 'git'],
    node: 'hash',
    npm: null,
    certificates: [],
  },
  sources: ['/etc/apt/sources.list'],
  aptOptions: ['Acquire::Retries "3";'],
  node: "/home/o'neil/node",
  npm: null,
  certificates: ['/usr/local/share/ca-certificates/a b.crt'],
} as const;

test('passes sources, settings, Node and certificates on, each path as one word', () => {
  const argv = bootstrapArguments(inputs, '/tmp/root.tar');
  expect(argv).toEqual(
    expect.arrayContaining(['--include=bash,git', '--aptopt=Acquire::Retries "3";']),
  );
  expect(argv).toContain(`--customize-hook=upload '/home/o'\\''neil/node' /usr/local/bin/node`);
  expect(argv.join('\n')).toContain("copy-in '/usr/local/share/ca-certificates/a b.crt' ");
  expect(argv.slice(-3)).toEqual(['bookworm', '/tmp/root.tar', '/etc/apt/sources.list']);
});

test('a failing step is a fault with its name and its last lines', async () => {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const { signal } = new AbortController();
  const step = runStep(
    'third step',
    ['sh', '-c', 'echo one >&2; echo two >&2; exit 4'],
    log,
    signal,
  );
  await expect(step).rejects.toMatchObject({
    code: 'environment-failed',
    message: expect.stringMatching(/"third step" \(exit 4\): one \| two\. /),
  });
  expect(lines).toEqual(['one', 'two']);
});
