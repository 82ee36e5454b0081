import type { Rejection } from '../../schemas/rejection.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import { openMisalignments } from './alignment.ts';
import { baseTarEntries } from './bundle.ts';
import type { ExportOptions } from './exporter.ts';
import { failToPass, passToPass } from './groups.ts';
import { fitsUstar } from './tar.ts';

type Check = (input: ReleaseInput, options: ExportOptions) => string | null;

const MAX_EVAL_BYTES = 1024 * 1024;

const count = (text: string, sign: string) => text.split(sign).length - 1;

/** One harness matches an id with an open bracket by its prefix; a line break would make two lines of one result. */
const isPlainId = (id: string) =>
  !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(id) && count(id, '[') <= count(id, ']');

/** Container names, folder names and registry names are all made of the id. */
const isName = (id: string) => /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/.test(id);

function illegalId({ task, instance }: ReleaseInput): string | null {
  if (!isName(task.id)) return `"${task.id}" is no container name`;
  const test = [...failToPass(instance), ...passToPass(instance)].find((id) => !isPlainId(id));
  return test === undefined ? null : `test id ${JSON.stringify(test)} is not one balanced line`;
}

function invalidGold({ task, instance }: ReleaseInput): string | null {
  const control = instance.controls.find(({ expected, outcome }) => expected !== outcome);
  if (control)
    return `control ${control.name}: expected ${control.expected}, got ${control.outcome}`;
  const all = task.requirements.map(({ id }) => id);
  const gold = instance.matrix.find(({ subset }) => all.every((id) => subset.includes(id)));
  if (!gold) return 'no run of the whole gold patch is on record';
  const failing = gold.cells.find(({ verdict }) => verdict !== 'pass');
  return failing ? `gold does not pass group ${failing.group}` : null;
}

/** A release carries no grammar, and a declaration cannot be looked for without one; regions are held by their tokens. */
const needsGrammar = ({ target }: ReleaseInput['task']['contract']): string | null =>
  target === undefined ? null : 'a target declaration needs a grammar, and a release carries none';

const common: Record<string, [Rejection['code'], Check]> = {
  id: ['id-illegal', illegalId],
  tests: [
    'no-fail-to-pass',
    ({ instance }) => (failToPass(instance).length > 0 ? null : 'no test must turn to passing'),
  ],
  gold: ['gold-not-valid', invalidGold],
  licence: [
    'licence-missing',
    ({ source }, { allowNoLicence }) =>
      source.licence !== null || allowNoLicence
        ? null
        : `source ${source.name} has no licence. Ask its owner, or allow it by flag.`,
  ],
  alignment: [
    'misaligned-open',
    (input) => {
      const ids = openMisalignments(input).map(({ id }) => id);
      return ids.length === 0 ? null : `open verdicts: ${ids.join(', ')}. Repair or exclude.`;
    },
  ],
  grammar: ['contract-needs-grammar', ({ task: { contract } }) => needsGrammar(contract)],
  image: [
    'image-unpinned',
    ({ task }, { requirePinned, images }) =>
      requirePinned && images[task.id] === undefined
        ? `no image with a digest for ${task.id}. Push one and name it.`
        : null,
  ],
  tree: [
    'tree-unportable',
    (input) => {
      const entry = baseTarEntries(input).find((one) => !fitsUstar(one));
      return entry ? `"${entry.path}" does not fit a plain archive` : null;
    },
  ],
};

const rejections =
  (checks: readonly [Rejection['code'], Check][]) =>
  (input: ReleaseInput, options: ExportOptions): Rejection[] =>
    checks.flatMap(([code, check]) => {
      const detail = check(input, options);
      return detail === null ? [] : [{ code, detail, evidence: [] }];
    });

/** What no format may carry, in the order of a reader's questions. Empty: fit for release. */
export const commonRejections = rejections(Object.values(common));

/** What a row of text cannot carry: patches that are no text, an eval script above 1 MiB. */
export function rowRejections(input: ReleaseInput, script: string): Rejection[] {
  const { gold, test, base } = input.patches;
  const patches = Object.entries({ gold, test, base: base ?? { text: '' } });
  const binary = patches.filter(([, patch]) => 'base64' in patch).map(([name]) => name);
  const found: Rejection[] = [];
  if (binary.length > 0) {
    const detail = `${binary.join(', ')} patch is not UTF-8 text`;
    found.push({ code: 'patch-not-text', detail, evidence: [] });
  }
  if (script.length > MAX_EVAL_BYTES) {
    const detail = `eval script has ${script.length} bytes, at most ${MAX_EVAL_BYTES} fit`;
    found.push({ code: 'grader-too-large', detail, evidence: [] });
  }
  return found;
}
