import type { ModelRequest } from '../../schemas/completion.ts';
import type { Contract } from '../../schemas/contract.ts';
import type { Condition } from '../../schemas/experiment.ts';
import { BodyProposal, EditsProposal } from '../../schemas/proposal.ts';
import { contractInWords } from '../contract/explain.ts';
import { anyGlob } from '../contract/globs.ts';
import { parseManifest } from '../contract/manifest.ts';
import { entryIds, spansOf } from '../contract/regions.ts';
import { utf8 } from '../contract/text.ts';
import { renderPrompt } from '../prompts/render.ts';
import { wireSchema } from '../solve/ask.ts';

/** What a rollout is about: one instance under one effective contract. */
export type Subject = {
  readonly instance: string;
  readonly contract: Contract;
  /** Digest of the base tree's manifest. */
  readonly base: string;
};

/** Who is asked, and which of several equal questions it is. */
export type Asker = {
  readonly entrant: string;
  readonly condition: string;
  readonly replicate: number;
};

/** What the model learns of its last try; texts only, and nothing that is hidden from it. */
export type Feedback = { readonly diagnostic: string; readonly previous: string };

type Read = (sha256: string) => Uint8Array;
type Shown = { readonly label: string; readonly text: string };

/** Where the target is, in words. */
export function targetInWords({ target }: Contract): string {
  const named = target?.declarations.map(
    ({ file, kind, name }) => `the ${kind} ${name} in ${file}`,
  );
  return named?.join('\n') ?? 'what the contract opens';
}

/** Visible files with the editable ones first. */
function filesOf({ contract, base }: Subject, read: Read): Shown[] {
  const isIn = anyGlob(contract.visible.include);
  const isOut = anyGlob(contract.visible.exclude);
  const editable = new Set(contract.editable.map(({ file }) => file));
  const shown = parseManifest(read(base)).flatMap(({ path, kind, sha256 }): Shown[] => {
    if ((kind !== 'file' && kind !== 'exec') || !isIn(path) || isOut(path)) return [];
    const text = utf8(read(sha256));
    return text === null ? [] : [{ label: path, text }];
  });
  return [
    ...shown.filter(({ label }) => editable.has(label)),
    ...shown.filter(({ label }) => !editable.has(label)),
  ];
}

function regionsOf({ contract, base }: Subject, read: Read): Shown[] {
  const ids = entryIds(contract);
  const files = new Map(parseManifest(read(base)).map(({ path, sha256 }) => [path, sha256]));
  return contract.editable.flatMap((entry, at) => {
    const name = files.get(entry.file);
    if (entry.region === undefined || name === undefined) return [];
    const bytes = read(name);
    const spans = spansOf([{ id: ids[at] ?? '', entry }], bytes);
    if ('code' in spans) throw new Error(`contract unfit for its base: ${spans.code}`);
    return spans.map(({ id, start, end }) => ({
      label: `${id} in ${entry.file}`,
      text: utf8(bytes.subarray(start, end)) ?? '',
    }));
  });
}

/** One request of a rollout. The model always edits the base, never its own last candidate. */
export function proposalRequest(
  subject: Subject,
  asker: Asker,
  condition: Condition,
  attempt: number,
  { diagnostic, previous }: Feedback,
  read: Read,
): ModelRequest {
  const isBody = condition.interface === 'body';
  const seen = {
    target: targetInWords(subject.contract),
    contract: contractInWords(subject.contract),
    files: filesOf(subject, read),
    diagnostic,
    previous,
  };
  const content = isBody
    ? renderPrompt('prove-body', { ...seen, regions: regionsOf(subject, read) })
    : renderPrompt('prove-edits', seen);
  const schema = isBody ? BodyProposal : EditsProposal;
  return {
    role: 'solver',
    ...asker,
    subject: subject.instance,
    attempt,
    reask: 0,
    messages: [{ role: 'user', content }],
    schema: { ...wireSchema(schema), name: isBody ? 'body' : 'edits' },
    parameters: {},
  };
}
