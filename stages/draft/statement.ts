import type { Coupling } from '../../schemas/coupling.ts';
import type { Requirement } from '../../schemas/requirement.ts';

/** What a solver reads, by template: nothing but titles, clauses, declared interface and interaction clauses. */
export function statementOf(
  title: string,
  requirements: readonly Requirement[],
  couplings: readonly Coupling[],
): string {
  const lines = [
    `# ${title}`,
    '',
    'Change this repository so that every requirement below holds, alone and together with the others.',
    'Behaviour that no requirement mentions stays as it is.',
  ];
  for (const requirement of requirements) lines.push('', ...section(requirement));
  const meetings = couplings.filter(({ text }) => text !== '');
  if (meetings.length > 0) {
    lines.push('', '## Where the requirements meet', '');
    for (const { from, to, text } of meetings) lines.push(`- ${from} and ${to}: ${text}`);
  }
  return `${lines.join('\n')}\n`;
}

function section({ id, title, clauses, interface: declared }: Requirement): readonly string[] {
  const lines = [
    `## ${id}. ${title}`,
    '',
    ...clauses.map((clause) => `- ${clause.id}: ${clause.text}`),
  ];
  if (declared.length > 0)
    lines.push('', 'Fixed names, values and messages:', ...declared.map((line) => `- ${line}`));
  return lines;
}
