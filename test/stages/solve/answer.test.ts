import { expect, test } from 'vitest';
import type { Completion } from '../../../schemas/completion.ts';
import { parseProposal } from '../../../stages/solve/proposal.ts';

const completion = (parts: Partial<Completion>): Completion => ({
  text: '',
  finish: 'stop',
  provider: 'scripted',
  modelRequested: 'm',
  modelReturned: null,
  responseId: null,
  fromReasoning: false,
  usage: { input: null, cachedInput: null, output: null, reasoning: null },
  provenance: null,
  ...parts,
});
const good = '{"edits":[{"file":"a","find":"b","replace":"c"}],"create":[],"delete":[]}';
const half = good.slice(0, 30);

test.each([
  [
    'C21 a cut by the length limit',
    { text: half, finish: 'length' },
    'proposal.truncated',
    'length',
  ],
  ['C21 half an object that claims to be whole', { text: half }, 'proposal.syntax', 'cut'],
  ['C21 nothing', { text: '' }, 'proposal.syntax', 'empty'],
  ['C21 the word null', { text: 'null' }, 'proposal.syntax', 'empty'],
  ['C21 an HTML page', { text: '<!DOCTYPE html><html></html>' }, 'proposal.syntax', 'html'],
  ['a refusal', { text: 'I cannot', finish: 'refused' }, 'proposal.refused', 'refused'],
  ['prose', { text: 'Here is what I would do.' }, 'proposal.syntax', 'not-json'],
  ['half an object in a fence', { text: `\`\`\`json\n${half}` }, 'proposal.syntax', 'cut'],
  ['a list that is missing', { text: '{"edits":[]}' }, 'proposal.syntax', 'schema'],
  [
    'a member that nobody asked for',
    { text: good.replace('{', '{"note":1,') },
    'proposal.syntax',
    'schema',
  ],
] as const)('%s is refused under its own name', (_, parts, code, fault) => {
  const parsed = parseProposal(completion(parts), 'edits');
  expect(parsed).toMatchObject({ ok: false, code, detail: expect.stringMatching(`^${fault},`) });
});

test.each([
  ['plain', good],
  ['with blanks around', `\n ${good}\n`],
  ['in a fence', `\`\`\`json\n${good}\n\`\`\``],
  ['in a fence among words', `Here it is:\n\n\`\`\`\n${good}\n\`\`\`\nDone.`],
])('an answer %s is read', (_, text) => {
  expect(parseProposal(completion({ text }), 'edits')).toMatchObject({ ok: true });
});

test('an answer found in the reasoning field counts when it validates', () => {
  expect(parseProposal(completion({ text: good, fromReasoning: true }), 'edits').ok).toBe(true);
  expect(parseProposal(completion({ text: half, fromReasoning: true }), 'edits').ok).toBe(false);
});

test('a text with a fence inside a string is one JSON object', () => {
  const text = JSON.stringify({ bodies: [{ region: 'r1', text: '```json\n{}\n```\n' }] });
  expect(parseProposal(completion({ text }), 'body')).toMatchObject({
    proposal: { value: { bodies: [{ text: '```json\n{}\n```\n' }] } },
  });
});
