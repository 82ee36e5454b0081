// The report stream, written inside the box. Each line is a seal, a blank and a JSON record.
// A seal is SHA-256 over nonce, previous seal, record and nonce: reading the file does not teach how to forge it.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { relative } from 'node:path';

const assertion = (error) => error?.name === 'AssertionError' || error?.code === 'ERR_ASSERTION';

/** Whether an error, or what caused it, is a broken assertion. */
export function isAssertion(error) {
  for (let at = error, depth = 0; at && depth < 8; at = at.cause, depth++) {
    if (assertion(at)) return true;
  }
  return false;
}

const ESCAPE = String.fromCharCode(27);
const colours = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, 'g');
const oneLine = (text) =>
  text
    .replace(colours, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/\b0x[0-9a-f]{6,}\b/gi, '0x')
    .trim();

/** The rules of stages/test-reports/id.ts; one list of vectors tests both. */
export const idOf = (text) =>
  oneLine(text).replace(/(?: \(\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|m|min)\))+$/u, '');

/** A message in one line that says the same in every run. */
export function messageOf(text) {
  const line = oneLine(String(text ?? '').replaceAll(`${process.cwd()}/`, ''));
  const timeless = line.replace(/\b\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s)\b/gu, '<time>');
  return Array.from(timeless.slice(0, 600))
    .slice(0, 300)
    .join('')
    .replace(/\p{Cs}/gu, '\ufffd');
}

/** A path of the tree as it is written in ids. */
export const fileOf = (path) => relative(process.cwd(), path) || path;

/** Where the runner starts below the tree's root, with a slash at its end; ids are told from the root. */
const below = process.env.CSW_BELOW ?? '';
const fromRoot = (file) => (file === '' ? '' : below + file);

/** Nonce and descriptor of a supervised report: 4 and 3. Children get neither. */
function openSupervised() {
  const nonce = readFileSync(4, 'utf8');
  closeSync(4);
  return { nonce, descriptor: 3 };
}

/** Nonce and descriptor of a report that lies at `path`, where nobody supervises. */
function openFile(path) {
  const nonce = readFileSync(`${path}.nonce`, 'utf8');
  unlinkSync(`${path}.nonce`);
  return { nonce, descriptor: openSync(path, 'ax') };
}

/** Open the report, which lies at `path` only if a nonce does. The nonce is gone before anything else is loaded. */
export function openStream(path, runner, version) {
  const isFile = existsSync(`${path}.nonce`);
  const { nonce, descriptor } = isFile ? openFile(path) : openSupervised();
  const seen = new Set();
  let [n, seal, results] = [0, '', 0];

  const send = (record) => {
    const json = JSON.stringify({ n: n++, ...record });
    const parts = [nonce, seal, json, nonce].join('\n');
    seal = createHash('sha256').update(parts).digest('hex');
    writeSync(descriptor, `${seal} ${json}\n`);
  };
  const unique = (id) => {
    let [name, count] = [id, 1];
    while (seen.has(name)) name = `${id} #${++count}`;
    seen.add(name);
    return name;
  };
  send({ type: 'hello', runner, version });
  return {
    result({ path: titles, file: path, line, status, message }) {
      const file = fromRoot(path);
      const id = unique(idOf((file === '' ? titles : [file, ...titles]).join(' > ')));
      results++;
      send({ type: 'result', id, file, line: line ?? null, status, message: message ?? null });
    },
    end: () => send({ type: 'end', results }),
  };
}
