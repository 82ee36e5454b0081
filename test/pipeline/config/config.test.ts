import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nearest } from '../../../pipeline/config/nearest.ts';
import { isUsageError, problemLine } from '../../../pipeline/config/usage-problem.ts';
import { type Overrides, readRunConfig } from '../../../pipeline/config.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string, overrides: Overrides = {}) {
  const path = join(folder, 'pipeline.yaml');
  writeFileSync(path, text);
  return readRunConfig(path, overrides);
}
function problems(text: string, overrides: Overrides = {}): string[] {
  try {
    read(text, overrides);
  } catch (error) {
    if (isUsageError(error)) {
      return error.problems.map((problem) => problemLine(problem).replaceAll(`${folder}/`, ''));
    }
    throw error;
  }
  return [];
}

const models = `models:
  - {name: strong, provider: openai, family: a, model: m, base_url: "https://models.example/v1", api_key_env: MY_KEY, price: {input: 1.25, cached_input: 0.125, output: 10}}
  - {name: local, provider: openai, model: q, base_url: "http://127.0.0.1:8000/v1"}
  - {name: inbox, provider: mailbox}
  - {name: taped, provider: recorded, pack: seeds/token-bucket/recordings}
`;

test('without a file everything has a default', () => {
  expect(readRunConfig(null)).toMatchObject({
    run: 'main',
    sandbox: 'auto',
    models: [],
    roles: { drafter: null, solvers: [] },
    budget: { usd: 25, calls: 2000 },
    synthesize: { k: [2, 3], repeats: 3, level: 'joint' },
    review: { rounds: 3 },
  });
});

test('a file with models and roles is read', () => {
  const config = read(`${models}roles: {solvers: [strong, local, inbox], reviewer: local}\n`);
  expect(config.roles).toMatchObject({ solvers: ['strong', 'local', 'inbox'], reviewer: 'local' });
  expect(config.models[1]).toMatchObject({ family: 'declared-unknown', price: null });
  expect(config.models[2]).toMatchObject({ provider: 'mailbox', dir: 'mailbox' });
});

test('flags lie over the file, as deep as needed', () => {
  const config = read('sandbox: docker\nsynthesize: {batch: 3, seed: 7}\n', {
    sandbox: 'bwrap',
    run: undefined,
    synthesize: { batch: 5, level: undefined },
  });
  expect(config).toMatchObject({
    sandbox: 'bwrap',
    run: 'main',
    synthesize: { batch: 5, seed: 7 },
  });
});

test('unknown keys, models and roles and wrong values are named all at once', () => {
  const text = `sandbx: bwrap
budget: {usd: lots}
${models}roles:
  solvers: [strong, lokal]
  reviwer: local
synthesize: {solo_solvers: [taped, tapd], k: []}
`;
  expect(problems(text)).toEqual([
    expect.stringMatching(
      /^sandbx: expected one of run, sandbox, .*\(did you mean "sandbox"\?\), got "sandbx" \(pipeline\.yaml:1\)$/,
    ),
    'budget.usd: expected a value of type number, got "lots" (pipeline.yaml:2)',
    'roles.solvers[1]: expected one of strong, local, inbox, taped (did you mean "local"?), got "lokal" (pipeline.yaml:9)',
    'roles.reviwer: expected one of drafter, solvers, prober, reviewer, refuter, advocates, repairer, adversary (did you mean "reviewer"?), got "reviwer" (pipeline.yaml:10)',
    'synthesize.k: expected at least 1 entries, got [] (pipeline.yaml:11)',
    'synthesize.solo_solvers[1]: expected one of strong, local, inbox, taped (did you mean "taped"?), got "tapd" (pipeline.yaml:11)',
  ]);
});

test.each([
  [
    'models: [{name: a, provider: opnai}]',
    'models[0].provider: expected one of "openai", "mailbox", "recorded", got "opnai" (pipeline.yaml:1)',
  ],
  [
    'models: [{name: a, provider: recorded, pack: p, dir: d}]',
    'models[0].dir: expected one of provider, name, family, price, pack, got "dir" (pipeline.yaml:1)',
  ],
  [
    'models: [{name: a, provider: mailbox}, {name: a, provider: mailbox}]',
    'models[1].name: expected each model name once, got "a" again (pipeline.yaml:1)',
  ],
  [
    'roles: {drafter: strong}',
    'roles.drafter: expected a model named under models, and there is none, got "strong" (pipeline.yaml:1)',
  ],
  ['run: 1.10', 'run: expected a string (in quotes), got the number 1.10 (pipeline.yaml:1)'],
  [
    'export: {allow_no_licence: no}',
    'export.allow_no_licence: expected a value of type boolean, got "no" (pipeline.yaml:1)',
  ],
])('%s', (text, problem) => {
  expect(problems(text)).toEqual([problem]);
});

test('a wrong flag is named without a file', () => {
  expect(problems('', { sandbox: 'podman' })).toEqual([
    'sandbox: expected one of "auto", "docker", "bwrap", "process", got "podman"',
  ]);
});

test('a file that is not there is a usage error', () => {
  expect(() => readRunConfig(join(folder, 'nowhere.yaml'))).toThrow(
    /--config: expected a file that can be read, got ".*nowhere\.yaml" \(ENOENT/,
  );
});

test.each([
  ['synthesise', ['synthesize', 'solve'], 'synthesize'],
  ['slove', ['synthesize', 'solve'], 'solve'],
  ['usd', ['calls', 'wall_s'], null],
  ['x', [], null],
])('the nearest word to %s among %j is %s', (word, known, found) => {
  expect(nearest(word, known)).toBe(found);
});
