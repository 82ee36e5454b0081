import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INSTALL_SCRIPT } from '../../../stages/environments/python-install.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('a tree that needs nothing is installed without asking anybody', () => {
  const cwd = tempFolder();
  const target = join(cwd, 'deps', 'python');
  const ended = spawnSync('python3', ['-I', '-c', INSTALL_SCRIPT, target], { cwd });
  expect(ended.stderr.toString()).toBe('');
  expect(ended.status).toBe(0);
  expect(readdirSync(target)).toEqual([]);
});

const PIP_ASKED = `
import json, subprocess, sys
def run(argv, check):
    if "--dry-run" not in argv:
        print(json.dumps(argv[argv.index("--target") + 2 :]))
        return
    names = argv[argv.index("--report") + 2 :]
    with open(argv[argv.index("--report") + 1], "w") as file:
        json.dump({"install": [{"metadata": {"name": name, "version": "1"}, "is_direct": False, "download_info": {}} for name in names]}, file)
subprocess.run = run
`;

test.skipIf(!hasPython)('a setup.cfg alone and the deps of tox say what is needed', () => {
  const cwd = tempFolder();
  const setup = `[options]\ninstall_requires =\n  six; python_version > "3"\n[options.extras_require]\ntest = attrs\ndocs = sphinx\n`;
  writeFileSync(join(cwd, 'setup.cfg'), setup);
  const deps = ['# words', 'mock', 'py38: typing', '{env:MORE}', '-e .', '-r more.txt'];
  writeFileSync(
    join(cwd, 'tox.ini'),
    `[testenv]\ndeps =\n${deps.map((dep) => `  ${dep}\n`).join('')}`,
  );
  const script = `${PIP_ASKED}\n${INSTALL_SCRIPT}`;
  const ended = spawnSync('python3', ['-I', '-c', script, join(cwd, 'deps')], { cwd });
  expect(ended.stderr.toString()).toBe('');
  expect(JSON.parse(ended.stdout.toString())).toEqual(
    ['--no-deps', 'six; python_version > "3"', 'attrs', 'mock', 'typing', '-r', 'more.txt'].map(
      (word) => (word === '--no-deps' ? word : `${word}==1`),
    ),
  );
});

/** What pip is asked to resolve for a package whose metadata offers these extras. */
function asked(extras: readonly string[]): unknown {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'setup.py'), '');
  const pip = `
import json, os, subprocess, sys
def run(argv, check):
    if "--dry-run" not in argv:
        return
    names = argv[argv.index("--report") + 2 :]
    print(json.dumps([names, os.environ["SETUPTOOLS_SCM_PRETEND_VERSION"]]))
    own = {"metadata": {"name": "own", "version": "1", "provides_extra": ${JSON.stringify(extras)}}, "is_direct": True, "download_info": {"dir_info": {}}}
    with open(argv[argv.index("--report") + 1], "w") as file:
        json.dump({"install": [own]}, file)
subprocess.run = run
`;
  const script = `${pip}\n${INSTALL_SCRIPT}`;
  const ended = spawnSync('python3', ['-I', '-c', script, join(cwd, 'deps')], { cwd });
  expect(ended.stderr.toString()).toBe('');
  return JSON.parse(ended.stdout.toString().trim().split('\n').at(-1) ?? '');
}

test.skipIf(!hasPython)(
  'a package is asked for with the extras that tests need, and plainly where it has none',
  () => {
    expect(asked(['test', 'docs'])).toEqual([['.[test]'], '0.0.0']);
    expect(asked(['docs'])).toEqual([['.'], '0.0.0']);
  },
);
