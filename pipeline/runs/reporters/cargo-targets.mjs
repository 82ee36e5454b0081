// What cargo built for tests, and in which file of the tree each test of it stands.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileOf } from './stream.mjs';

/** A message of `cargo test --no-run --message-format=json` as a test program, or null. */
export function targetOf(message) {
  if (message?.reason !== 'compiler-artifact' || message.executable === null) return null;
  if (!message.profile.test) return null;
  const { target, executable, manifest_path: manifest } = message;
  const folder = dirname(manifest);
  const source = fileOf(target.src_path);
  return { executable, folder, source, name: target.name, isOwnFile: target.kind.includes('test') };
}

/** Files that may hold a module, nearest first: `a::b::x` of src/lib.rs is in src/a/b.rs, src/a/b/mod.rs, src/a.rs ... */
function* homesOf(source, path) {
  const root = dirname(source);
  for (let depth = path.length - 1; depth > 0; depth--) {
    const module = join(root, ...path.slice(0, depth));
    yield `${module}.rs`;
    yield join(module, 'mod.rs');
  }
}

/** The file in which a test stands; the program's own where no module has one. */
export function homeOf({ source }, name) {
  for (const file of homesOf(source, name.split('::'))) if (existsSync(file)) return file;
  return source;
}

/** Whether the files of a run can hold tests of this program at all. */
export const holds = ({ source, folder, isOwnFile }, files) =>
  isOwnFile
    ? files.some((file) => file === source || file.startsWith(`${dirname(source)}/`))
    : files.some((file) => file.startsWith(below(fileOf(folder), dirname(source))));

const below = (folder, sources) =>
  sources === '.' ? (folder === '.' ? '' : folder) : `${sources}/`;

/**
 * Forget that the tree's own packages were built before: cargo goes by times, and files that were laid anew may look older
 * than what an earlier tree was built to.
 */
export function forgetPackages(target, names) {
  const folder = join(target, 'debug', '.fingerprint');
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder))
    if (names.some((name) => entry.startsWith(`${name}-`)))
      rmSync(join(folder, entry), { recursive: true, force: true });
}
