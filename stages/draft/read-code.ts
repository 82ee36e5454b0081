import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { GoldPart, OverlayFile } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { matchesAny } from '../environments/glob.ts';
import { changedPaths, entriesByPath, isFile, readTree } from '../trees/trees.ts';
import { internalNames, pinsOf, precedentIn } from '../weave/pins.ts';
import { type Tokens, tokensOf } from '../weave/tokens.ts';
import { languageOf } from './language.ts';

/** A file larger than this is data, and of a tree larger than that the rest stays unread. */
const MAX_TEXT = 1 << 20;
const MAX_TREE = 256 << 20;

export type CodeFacts = {
  readonly pins: ReturnType<typeof pinsOf>;
  readonly internal: readonly string[];
  /** The index of the part that brings a name or literal; 0 where several hands did. */
  readonly broughtBy: (token: string) => number;
};

/** What hidden tests, gold and base say to each other in names and literals. */
export function readCode(
  base: string,
  parts: readonly GoldPart[],
  overlay: readonly OverlayFile[],
  spec: EnvironmentSpec,
  context: Context,
): CodeFacts {
  const { ledger, parse } = context;
  const tokens = (files: readonly { path: string; sha256: string }[]): Tokens =>
    tokensOf(
      files.map(({ path, sha256 }) => ({
        language: languageOf(path) ?? '',
        bytes: ledger.get(sha256),
      })),
      parse,
    );
  const gold = parts.at(-1)?.after ?? base;
  const goldEntries = entriesByPath(readTree(ledger, gold));
  const changed = changedPaths(ledger, base, gold)
    .filter((path) => matchesAny(path, spec.sourceFiles))
    .flatMap((path) => goldEntries.get(path) ?? []);
  const code = {
    tests: tokens(overlay),
    gold: tokens(changed),
    base: precedentIn(textsOf(base, context)),
  };
  const added = parts.map((part) => addedText(part, context));
  const broughtBy = (token: string) =>
    Math.max(
      0,
      added.findIndex((text) => text.includes(token)),
    );
  return { pins: pinsOf(code), internal: internalNames(code), broughtBy };
}

/** The text of every file that a part changes, without the lines that stood there before. */
function addedText({ before, after }: GoldPart, { ledger }: Context): string {
  const [left, right] = [before, after].map((tree) => entriesByPath(readTree(ledger, tree)));
  const lines = (sha256: string | undefined) =>
    sha256 === undefined ? [] : new TextDecoder().decode(ledger.get(sha256)).split('\n');
  return changedPaths(ledger, before, after)
    .flatMap((path) => {
      const old = new Set(lines(left?.get(path)?.sha256));
      return lines(right?.get(path)?.sha256).filter((line) => !old.has(line));
    })
    .join('\n');
}

/** Every text of a tree that a reader would search, in the order of its paths, up to a bound. */
function textsOf(
  tree: string,
  { ledger }: Context,
): readonly { readonly path: string; readonly text: string }[] {
  let room = MAX_TREE;
  return readTree(ledger, tree).flatMap((entry) => {
    if (!isFile(entry) || entry.size > Math.min(MAX_TEXT, room)) return [];
    room -= entry.size;
    const text = new TextDecoder().decode(ledger.get(entry.sha256));
    return text.includes('\0') ? [] : [{ path: entry.path, text }];
  });
}
