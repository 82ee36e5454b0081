// Candidate tree -> grade. Node >= 18, no dependency. Exit 3 and no file: a fault, nothing was measured.
//   node grade.mjs CANDIDATE --base base.tar (--lines | --reward DIR) [--deps DIR] [--invalid]
import './since-node-20.mjs';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkCandidate } from './check.mjs';
import { picksTests, sentinelNames, withSentinels } from './kernel/sentinel-code.mjs';
import { readSentinels } from './kernel/sentinels.mjs';
import { runSuite } from './suite.mjs';
import { sha256 } from './tree.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const CONFORMS = 'contract > conforms';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string', default: '/opt/csw/base.tar' },
    deps: { type: 'string', default: '/opt/deps' },
    lines: { type: 'boolean', default: false },
    reward: { type: 'string' },
    invalid: { type: 'boolean', default: false },
  },
});
const readJson = (name) => JSON.parse(fs.readFileSync(join(HERE, name), 'utf8'));

class Fault extends Error {}

function extracted(folder) {
  fs.mkdirSync(folder, { mode: 0o755, recursive: true });
  const { status } = spawnSync('tar', ['-xf', values.base, '-C', folder, '--no-same-owner']);
  if (status !== 0) throw new Fault('base.tar cannot be unpacked');
  return folder;
}

/** Copy, never link: a path of the candidate is taken as bytes and nothing of it is followed. */
function graft(tree, candidate, lock, created) {
  for (const path of lock.contract.delete) {
    if (!fs.existsSync(join(candidate, path))) fs.rmSync(join(tree, path), { force: true });
  }
  for (const path of [...lock.contract.editable.map(({ file }) => file), ...created]) {
    if (!fs.existsSync(join(candidate, path))) continue;
    fs.mkdirSync(dirname(join(tree, path)), { recursive: true });
    fs.writeFileSync(join(tree, path), fs.readFileSync(join(candidate, path)));
  }
}

function place(target, bytes) {
  fs.rmSync(target, { force: true, recursive: true });
  fs.mkdirSync(dirname(target), { recursive: true });
  fs.writeFileSync(target, bytes, { mode: 0o644 });
}

/** Hidden tests, over whatever stands there, each checked against its recorded bytes; sentinels stand behind all that are run. */
function overlay(tree, { overlay: files, suite }, names) {
  for (const { path, sha256: wanted } of files) {
    const bytes = fs.readFileSync(join(HERE, 'hidden', path));
    if (sha256(bytes) !== wanted) throw new Fault(`hidden test ${path} is damaged`);
    place(join(tree, path), bytes);
  }
  if (picksTests(suite.argv)) return { ...names, files: [] };
  const carriers = suite.files.flatMap((path) => {
    const target = join(tree, path);
    if (!fs.lstatSync(target).isFile()) return [];
    const laid = withSentinels(suite.runner, path, fs.readFileSync(target), names);
    if (laid === null) return [];
    place(target, laid.bytes);
    return [{ path, kinds: laid.kinds }];
  });
  return { ...names, files: carriers };
}

function fresh(work, name) {
  const folder = join(work, name);
  fs.mkdirSync(join(folder, 'run'), { recursive: true, mode: 0o755 });
  return { folder: join(folder, 'run'), tree: extracted(join(folder, 'tree')) };
}

/** One run with its own sentinels. Where they were bent or lost, nothing that the run says is believed. */
async function measure({ suite }, argv, { tree, folder }, sentinels) {
  const reporters = join(HERE, 'reporters');
  const run = await runSuite({ suite, argv, tree, folder, reporters, deps: values.deps });
  const { verdict } = readSentinels(run.results, sentinels, { complete: run.complete, code: 1 });
  if (verdict === 'held') return run;
  const reason = verdict === 'bent' ? 'build.tampered' : 'build.report-incomplete';
  return { ...run, complete: false, passed: new Set(), reason };
}

const newNames = () => sentinelNames(randomBytes(32));

async function control(tests, work) {
  const box = fresh(work, 'control');
  const { id, files: chosen, argv } = tests.control;
  const laid = overlay(box.tree, tests, newNames());
  const files = laid.files.filter(({ path }) => chosen.includes(path));
  const run = await measure(tests, argv, box, { ...laid, files });
  const works = id === null ? run.complete : run.passed.has(id);
  if (works) return;
  const why = `${run.reason ?? 'not passed'} ${run.tail.slice(-300)}`;
  throw new Fault(`the control fails on the base tree: ${why}`);
}

function drifted(tree, before) {
  return before.filter(({ path, sha }) => {
    const stat = fs.lstatSync(join(tree, path), { throwIfNoEntry: false });
    return !stat?.isFile() || sha256(fs.readFileSync(join(tree, path))) !== sha;
  });
}

async function suiteRun(lock, tests, created, work, candidate) {
  const box = fresh(work, 'candidate');
  graft(box.tree, candidate, lock, created);
  const sentinels = overlay(box.tree, tests, newNames());
  const known = lock.base.filter(([, kind]) => kind === 'file' || kind === 'exec');
  const hidden = tests.overlay.map(({ path }) => path);
  const paths = [...new Set([...known.map(([path]) => path), ...created, ...hidden])];
  const before = paths
    .filter((path) => fs.existsSync(join(box.tree, path)))
    .map((path) => ({ path, sha: sha256(fs.readFileSync(join(box.tree, path))) }));
  const run = await measure(tests, tests.suite.argv, box, sentinels);
  const [drift] = drifted(box.tree, before);
  if (!drift) return run;
  return { ...run, passed: new Set(), reason: 'build.tree-changed' };
}

async function graded(lock, tests, work, candidate) {
  const isBase = sha256(fs.readFileSync(values.base)) === lock.base_tar.sha256;
  if (!isBase) throw new Fault('base.tar differs from the lock');
  await control(tests, work);
  const none = new Set();
  if (values.invalid)
    return { outcome: 'invalid-candidate', reason: 'proposal.syntax', passed: none };
  const roots = { candidate, base: extracted(join(work, 'base')) };
  const { exists, reasons, created } = checkCandidate(lock, roots);
  const [first] = reasons;
  if (first) {
    const outcome = exists ? 'rejected-violation' : 'invalid-candidate';
    const reason = `${first.code} ${JSON.stringify(first.path)}`;
    return { outcome, reason, reasons, passed: none };
  }
  const { passed, reason, tail } = await suiteRun(lock, tests, created, work, candidate);
  return { outcome: null, reason, tail, passed: new Set([...passed, CONFORMS]) };
}

const isWhole = (ids, passed) => ids.every((id) => passed.has(id));

function rewardOf({ p2p = [], ...required }, passed) {
  const conforms = Number(passed.has(CONFORMS));
  const reward = { reward: 0, conforms, graded: 1 };
  for (const [key, ids] of Object.entries(required)) reward[key] = Number(isWhole(ids, passed));
  const ids = Object.values(required).flat();
  reward.p2p = Number(conforms === 1 && isWhole(p2p, passed));
  reward.partial = reward.p2p * (ids.filter((id) => passed.has(id)).length / ids.length);
  reward.reward = Number(reward.p2p === 1 && isWhole(ids, passed));
  return reward;
}

/** By rename, so that no reader meets half a file; `reward.json` last of the two that are read as reward. */
function written(folder, files) {
  for (const [name, value] of Object.entries(files)) {
    fs.writeFileSync(join(folder, `.${name}`), `${JSON.stringify(value)}\n`);
    fs.renameSync(join(folder, `.${name}`), join(folder, name));
  }
}

function reported(tests, grade) {
  const reward = rewardOf(tests.groups, grade.passed);
  const expected = [...Object.values(tests.groups).flat(), CONFORMS];
  const ids = expected.map((id) => ({ id, passed: grade.passed.has(id) }));
  if (values.lines) {
    const lines = ids.map(({ id, passed }) => `[${passed ? 'PASSED' : 'FAILED'}] ${id}\n`);
    process.stdout.write(lines.join(''));
    return reward.reward;
  }
  const outcome = grade.outcome ?? (reward.reward ? 'valid-success' : 'safe-failure');
  const { reason, reasons = [], tail = '' } = grade;
  const details = { outcome, reason, reasons, tests: ids, tail };
  const files = { 'details.json': details, 'reward.txt': reward.reward, 'reward.json': reward };
  written(values.reward, files);
  return reward.reward;
}

async function main() {
  const [candidate] = positionals;
  const isOneMode = values.lines !== (values.reward !== undefined);
  if (!candidate || !isOneMode) throw new Fault('usage: see the head of grade.mjs');
  const [lock, tests] = [readJson('lock.json'), readJson('tests.json')];
  // Expected ids stay out of the suite's reach.
  fs.chmodSync(HERE, 0o700);
  const work = fs.mkdtempSync(join(tmpdir(), 'csw-'));
  fs.chmodSync(work, 0o755);
  try {
    return reported(tests, await graded(lock, tests, work, candidate)) ? 0 : 1;
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    // This line also tells a harness that reads the log that nothing was graded.
    process.stdout.write(`>>>>> Tests Errored: ${JSON.stringify(error.message)}\n`);
    process.exitCode = 3;
  },
);
