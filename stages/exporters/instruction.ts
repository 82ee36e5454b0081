import type { ReleaseInput } from '../../schemas/release-input.ts';
import { discardGlobs } from './bundle.ts';

type Contract = ReleaseInput['task']['contract'];
type Editable = Contract['editable'][number];

function editableLine({ file, region, max_bytes }: Editable): string {
  if (region === undefined) return `- \`${file}\`, at most ${max_bytes} bytes`;
  if ('bytes' in region) {
    return `- \`${file}\`, bytes ${region.bytes[0]} to ${region.bytes[1]} of the original`;
  }
  return `- \`${file}\`, only between the lines \`${region.start}\` and \`${region.end}\``;
}

/** What may be changed, as a solver must know it: the contract is no secret, the tests are. */
function contractWords(contract: Contract): string[] {
  const created = contract.create.map(
    ({ glob, max_files, max_bytes }) =>
      `- new files \`${glob}\`, at most ${max_files} of ${max_bytes} bytes each`,
  );
  return [
    ...contract.editable.map(editableLine),
    ...created,
    ...contract.delete.map((path) => `- \`${path}\` may be deleted`),
  ];
}

/** `instruction.md`: the statement, word for word, then what may be changed. */
export function instruction(input: ReleaseInput): string {
  const discard = discardGlobs(input);
  const lines = [
    input.task.statement.trimEnd(),
    '',
    'You work in `/testbed`. You may change only what is listed here; every other change, however small, makes the result void:',
    '',
    ...contractWords(input.task.contract),
    '',
  ];
  if (discard.length > 0) {
    lines.push(`Left aside: ${discard.map((glob) => `\`${glob}\``).join(', ')}.`, '');
  }
  return lines.join('\n');
}
