import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRequest } from '../../../schemas/completion.ts';
import { canonicalJson } from '../../../stages/contract/canonical-json.ts';
import { letter } from './letter.ts';

/** An answer file found in place. */
export type Found = {
  readonly kind: 'json' | 'md';
  readonly path: string;
  readonly text: string;
  readonly writtenAt: string;
};

/** The files of one request in one mailbox. */
export type Slot = {
  /** What a person opens. */
  readonly letterPath: string;
  post(): void;
  look(): Found | null;
  /** Put an unusable answer aside under a name that is free; returns the new path. */
  setAside(found: Found): string;
  /** How many answers were put aside, in this run or an earlier one. */
  refused(): number;
};

/** A reader never sees half a file: the final name appears with the whole content. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.part`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

const kinds = ['json', 'md'] as const;

/** The place of a request in a mailbox folder, named by its digest. */
export function slotFor(dir: string, sha256: string, request: ModelRequest): Slot {
  const named = (suffix: string) => join(dir, `${sha256}.${suffix}`);
  const aside = (count: number, kind: string) => named(`response.invalid-${count}.${kind}`);
  const isTaken = (count: number) => kinds.some((kind) => existsSync(aside(count, kind)));
  const refused = () => {
    let count = 0;
    while (isTaken(count + 1)) count++;
    return count;
  };
  return {
    letterPath: named('request.md'),
    refused,
    post() {
      mkdirSync(dir, { recursive: true });
      if (existsSync(named('request.md')) && existsSync(named('request.json'))) return;
      writeWhole(named('request.json'), `${canonicalJson(request)}\n`);
      writeWhole(named('request.md'), letter(sha256, request));
    },
    look() {
      for (const kind of kinds) {
        const path = named(`response.${kind}`);
        if (!existsSync(path)) continue;
        const writtenAt = statSync(path).mtime.toISOString();
        return { kind, path, text: readFileSync(path, 'utf8'), writtenAt };
      }
      return null;
    },
    setAside({ path, kind }) {
      const kept = aside(refused() + 1, kind);
      renameSync(path, kept);
      return kept;
    },
  };
}
