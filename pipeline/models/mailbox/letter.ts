import type { ModelRequest } from '../../../schemas/completion.ts';

/** A fence longer than any run of backticks inside, so that no message can end its own quotation. */
function quoted(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

const facts = (request: ModelRequest) =>
  [
    ['role', request.role],
    ['entrant', request.entrant],
    ['subject', request.subject],
    ['condition', request.condition],
    ['replicate', request.replicate],
    ['attempt', request.attempt],
    ['re-ask', request.reask],
  ].map(([name, value]) => `- ${name}: ${value}`);

function howToAnswer(sha256: string, hasSchema: boolean): string[] {
  const asJson = `\`{"answer": …, "answered_by": "…", "answered_at": "…"}\``;
  const forms = hasSchema
    ? `\`${sha256}.response.json\`: the JSON value itself, or ${asJson}.`
    : `\`${sha256}.response.md\`: plain text. Or \`${sha256}.response.json\` with ${asJson}.`;
  return [
    '## How to answer',
    '',
    `Write one file in this folder. ${forms}`,
    'Write it under another name first, for instance ending in `.part`, and rename it when it is whole: a file with the final name is read at once.',
    'An answer that cannot be read is kept under another name and asked for once more.',
  ];
}

/** The request as a person reads it: what is asked, in which form, and how to hand the answer in. */
export function letter(sha256: string, request: ModelRequest): string {
  const { schema, messages } = request;
  const shape =
    schema === null
      ? ['Plain text.']
      : [
          `JSON that meets \`${schema.name}\`:`,
          '',
          quoted(JSON.stringify(schema.json, null, 2), 'json'),
        ];
  return [
    `# Request ${sha256}`,
    '',
    ...facts(request),
    '',
    ...howToAnswer(sha256, schema !== null),
    '',
    '## Form of the answer',
    '',
    ...shape,
    ...messages.flatMap(({ role, content }) => ['', `## Message: ${role}`, '', quoted(content)]),
    '',
  ].join('\n');
}
