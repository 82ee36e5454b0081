import { expect, test } from 'vitest';
import { Thread } from '../../../schemas/thread.ts';
import { bindingDocs } from '../../../stages/miners/docs.ts';

const comment = (createdAt: string, authorAssociation = 'OWNER') => ({
  kind: 'comment',
  author: 'someone',
  authorAssociation,
  createdAt,
  body: 'It must also do this.',
});
const thread = (mergedAt: string | null) =>
  Thread.parse({
    number: 12,
    kind: 'pull',
    title: 'A wish',
    body: 'It should do that.',
    author: 'asker',
    state: mergedAt === null ? 'open' : 'merged',
    createdAt: '2025-01-01T00:00:00Z',
    mergedAt,
    comments: [comment('2025-01-02T00:00:00Z'), comment('2025-01-09T00:00:00Z')],
  });
const names = (docs: ReturnType<typeof bindingDocs>) => docs.map(({ doc }) => doc);

test('a comment written after the merge asks for something else', () => {
  expect(names(bindingDocs(thread('2025-01-05T00:00:00Z')))).toEqual(['thread:12', 'thread:12#1']);
});

test('every comment of those who decide binds while a thread is open', () => {
  expect(names(bindingDocs(thread(null)))).toEqual(['thread:12', 'thread:12#1', 'thread:12#2']);
});

test('a stranger binds nobody', () => {
  const open = thread(null);
  const strange = {
    ...open,
    comments: open.comments.map((line) => ({ ...line, authorAssociation: 'NONE' })),
  };
  expect(names(bindingDocs(strange))).toEqual(['thread:12']);
});
