// Runs test files with the ava that the tree finds by itself (4 or later), each in a process of its own.
// node ava.mjs REPORT [ARGUMENT...] -- FILE...      Ava names files only where there are several, so it is asked one by one.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listen, readWords } from './programs.mjs';
import { messageOf, openStream } from './stream.mjs';
import { tapReader } from './tap-lines.mjs';

const { report, extra, files } = readWords();
const find = createRequire(`${process.cwd()}/package.json`);

/** Ava exports neither its program nor its package.json to everyone, so its folder is gone up to. */
function packageOf(entry) {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const known = find(join(folder, 'package.json'));
      if (known.name === 'ava') return { folder, version: known.version, bin: known.bin };
    } catch {
      // A folder without a package.json lies between.
    }
  }
  throw new Error('ava is not installed');
}

const { folder, version, bin } = packageOf(find.resolve('ava'));
const program = join(folder, typeof bin === 'string' ? bin : bin.ava);
const stream = openStream(report, 'ava', version);

// Worker threads share ava's own standard output, and a test could write results there.
const argv = [process.execPath, program, '--tap', '--no-worker-threads', ...extra];
const ABOUT_FILE = /^(?:No tests found in |.* exited (?:with a non-zero exit code|due to) )/;

/** Ava wraps whatever a test throws in an assertion of its own. */
const THROWN = /^(?:Error thrown in test|Rejected promise returned by test)/;

function statusOf({ isOk, directive, name, message }) {
  if (directive !== undefined) return 'skipped';
  if (isOk) return 'passed';
  return name === 'AssertionError' && !THROWN.test(message ?? '') ? 'failed' : 'error';
}

for (const file of files) {
  const reader = tapReader();
  const { code } = await listen([...argv, file], { onLine: reader.take });
  const { tests, isWhole } = reader.end();
  for (const test of tests) {
    const status = statusOf(test);
    const path = ABOUT_FILE.test(test.title) ? [] : test.title.split(' › ');
    const message = status === 'passed' ? null : messageOf(test.message ?? test.title);
    stream.result({ file, path, line: null, status, message });
  }
  if (code !== 0) process.exitCode = 1;
  if (isWhole && tests.length > 0) continue;
  const message = messageOf('ava ended before it told its plan');
  stream.result({ file, path: [], line: null, status: 'error', message });
  process.exitCode = 1;
}
stream.end();
