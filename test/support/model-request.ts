import { ModelRequest } from '../../schemas/completion.ts';

/** A complete request; a test names only what it is about. */
export const modelRequest = (parts: Partial<ModelRequest> = {}): ModelRequest =>
  ModelRequest.parse({
    role: 'solver',
    entrant: 'reader',
    subject: 'limiter',
    condition: 'C0',
    replicate: 0,
    attempt: 1,
    reask: 0,
    messages: [{ role: 'user', content: 'Add a burst.' }],
    schema: null,
    ...parts,
  });
