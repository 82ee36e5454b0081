import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
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
