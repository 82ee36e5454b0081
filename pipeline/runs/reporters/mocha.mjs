// Runs test files with the mocha that the tree finds by itself (8 or later), in this process.
// node mocha.mjs REPORT [ARGUMENT...] -- FILE...      The tree's mocha options are used, but for its reporter and its list of files.
import { createRequire } from 'node:module';
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileOf, isAssertion, messageOf, openStream } from './stream.mjs';

const [report, ...rest] = process.argv.slice(2);
const [extra, files] = [rest.slice(0, rest.indexOf('--')), rest.slice(rest.indexOf('--') + 1)];
const find = createRequire(`${process.cwd()}/package.json`);
const { version } = find('mocha/package.json');
const stream = openStream(report, 'mocha', version);

/** Mocha's own modules are `.js` in earlier versions and `.cjs` in later ones. */
function inner(name) {
  try {
    return find(`mocha/lib/cli/${name}.cjs`);
  } catch {
    return find(`mocha/lib/cli/${name}.js`);
  }
}

const load = (name) => {
  const isPath = name.startsWith('.') || isAbsolute(name);
  const path = isPath ? resolve(name) : find.resolve(name);
  return import(pathToFileURL(path).href);
};

const listOf = (value) => (value === undefined ? [] : [value].flat());

/** What `node --import` would have loaded, which is too late to be a flag of this process. */
const preloads = (options) => [
  ...listOf(options.import),
  ...listOf(options['node-option']).flatMap((text) => /^import[= ](.+)$/.exec(text)?.[1] ?? []),
];

const pathOf = (test) => test.titlePath();
const done = new Set();

function send(test, status, error) {
  done.add(test);
  const message = error ? messageOf(error.message ?? error) : null;
  const file = test.file ? fileOf(test.file) : '';
  stream.result({ file, path: pathOf(test), line: null, status, message });
}

function everyTest(suite) {
  return [...suite.tests, ...suite.suites.flatMap(everyTest)];
}

const failed = (test, error) =>
  send(test, test.type !== 'hook' && isAssertion(error) ? 'failed' : 'error', error);

function listen(runner) {
  runner.on('pass', (test) => send(test, test.currentRetry() > 0 ? 'flaky' : 'passed', null));
  runner.on('pending', (test) => send(test, 'skipped', null));
  runner.on('fail', failed);
  // A hook that fails takes the tests behind it away, and mocha says nothing of them.
  runner.once('end', () => {
    for (const test of everyTest(runner.suite))
      if (!done.has(test) && !runner.stats?.bail)
        send(test, 'error', 'not run: a hook failed before');
  });
}

const options = inner('options').loadOptions([...extra, '--']);
for (const name of preloads(options)) await load(name);
const plugins = (await inner('run-helpers').handleRequires(listOf(options.require))) ?? {};
const { default: Mocha } = await import(pathToFileURL(find.resolve('mocha')).href);
const silent = class {
  constructor(runner) {
    listen(runner);
  }
};
const fixed = { reporter: silent, parallel: false, bail: false, color: false, forbidOnly: false };
const mocha = new Mocha({ ...options, ...plugins, ...fixed, allowUncaught: false });
mocha.files = [...listOf(options.file), ...files].map((file) => resolve(file));
try {
  await mocha.loadFilesAsync();
} catch (error) {
  const message = messageOf(error?.message);
  for (const file of files) stream.result({ file, path: [], line: null, status: 'error', message });
  stream.end();
  process.exit(1);
}
mocha.run((failures) => {
  process.exitCode = failures > 0 ? 1 : 0;
  stream.end();
  if (options.exit) process.exit();
});
