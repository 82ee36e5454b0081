// Runs test classes with Maven and surefire, offline, and reports from outside of both.
// node maven-surefire.mjs REPORT [ARGUMENT...] -- FILE...
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listen, readWords, worstOf } from './programs.mjs';
import { messageOf, openStream } from './stream.mjs';
import { readCases } from './surefire-xml.mjs';

const { report, extra, files } = readWords();
const stream = openStream(report, 'maven-surefire', 'surefire');

const PLACE = /^(?:(.*)\/)?src\/test\/(?:java|kotlin|groovy)\/(.+)\.\w+$/;

/** A test file's module, its class as surefire's filter wants it, and as its reports spell it. */
function classOf(file) {
  const [, module = '.', path] = PLACE.exec(file) ?? [null, '.', file.replace(/\.\w+$/, '')];
  return { file, module, path, name: path.replaceAll('/', '.') };
}

const classes = files.map(classOf);
const modules = [...new Set(classes.map(({ module }) => module))].toSorted();
const reportsOf = (module) => join(module, 'target', 'surefire-reports');
const isReport = (name) => /^TEST-.*\.xml$/.test(name);

for (const module of modules) rmSync(reportsOf(module), { recursive: true, force: true });

const repository = process.env.CSW_MAVEN_REPOSITORY;
const inModules = modules.includes('.') ? [] : ['-pl', modules.join(','), '-am'];
const argv = [
  ...['mvn', '-o', '-B', '-q', 'test', ...extra, ...inModules],
  ...(repository === undefined ? [] : [`-Dmaven.repo.local=${repository}`]),
  `-Dtest=${classes.map(({ path }) => path).join(',')}`,
  ...['-DfailIfNoTests=false', '-Dsurefire.failIfNoSpecifiedTests=false'],
];
const words = [];
const onLine = (line) => {
  process.stdout.write(`${line}\n`);
  if (line.startsWith('[ERROR]')) words.push(line.slice('[ERROR]'.length));
};
const { code, last } = await listen(argv, { onLine });

/** A class of a file is its own or one nested in it, whose name goes on after a dollar sign. */
function ownerOf(module, name) {
  const outer = name.split('$')[0];
  return classes.find((one) => one.module === module && one.name === outer);
}

function sendCase(owner, { classname, name, statuses, message }) {
  const nested = classname.split('$').slice(1);
  const status = statuses.length === 0 ? 'passed' : worstOf(statuses);
  const said = status === 'passed' ? null : messageOf(message ?? '');
  stream.result({ file: owner.file, path: [...nested, name], line: null, status, message: said });
}

const seen = new Set();
function readModule(module) {
  const folder = reportsOf(module);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter(isReport).toSorted()) {
    const { cases, isWhole } = readCases(readFileSync(join(folder, name), 'utf8'));
    for (const one of cases) {
      const owner = ownerOf(module, one.classname ?? '');
      if (owner === undefined || !isWhole) continue;
      seen.add(owner.file);
      sendCase(owner, one);
    }
  }
}

for (const module of modules) readModule(module);
const why = words.find((line) => /\.java:|COMPILATION|not find|cannot/i.test(line)) ?? words[0];
for (const { file } of classes.filter(({ file }) => !seen.has(file))) {
  const message = messageOf(why ?? last.at(-1) ?? 'no report was written');
  stream.result({ file, path: [], line: null, status: 'error', message });
  process.exitCode = 1;
}
if (code !== 0) process.exitCode = code ?? 1;
stream.end();
