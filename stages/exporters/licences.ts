import type { ReleaseInput } from '../../schemas/release-input.ts';
import { inOrder } from './audit.ts';
import { baseEntries } from './bundle.ts';
import { byText, textOf } from './text.ts';

/** The text of a licence file in the task's base, or a line that says why it is not here. */
function licenceText(input: ReleaseInput, path: string): string {
  const entry = baseEntries(input).find((one) => one.path === path);
  if (!entry) return `(\`${path}\` is not in the tree of this task)`;
  const text = textOf(input.read(entry.sha256));
  if (text === null) return `(\`${path}\` is not UTF-8 text)`;
  // An indented block needs no fence that the text itself could close.
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `    ${line}`))
    .join('\n');
}

/** `LICENSES.md`: for each source its identifier and the text of its licence files. */
export function licences(inputs: readonly ReleaseInput[]): string {
  const bySource = new Map(inOrder(inputs).map((input) => [input.source.name, input]));
  const sections = [...bySource]
    .toSorted(([left], [right]) => byText(left, right))
    .map(([name, input]) => {
      const { licence, licenceFiles, origin, url } = input.source;
      const texts = licenceFiles.map((path) => `### ${path}\n\n${licenceText(input, path)}\n`);
      const head = `## ${name}\n\n${licence ?? 'No licence was found.'} From ${url ?? origin}.\n`;
      return [head, ...texts].join('\n');
    });
  const intro =
    '# Licences\n\nTasks hold code of the sources named here, under the licence of each source.\n';
  return [intro, ...sections].join('\n');
}
