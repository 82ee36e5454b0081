import type { Completion } from '../../schemas/completion.ts';
import type { Usage } from '../../schemas/usage.ts';

/** Tokens of a provider that counts none. */
export const unknownUsage: Usage = {
  input: null,
  cachedInput: null,
  output: null,
  reasoning: null,
};

type Parts = Partial<Completion> & Pick<Completion, 'text' | 'provider' | 'modelRequested'>;

/**
 * A completion with every field that the provider did not speak of left unknown.
 * An answer without a word never says `stop`: it is no answer at all.
 */
export function completionOf(parts: Parts): Completion {
  const completion: Completion = {
    finish: 'stop',
    modelReturned: null,
    responseId: null,
    fromReasoning: false,
    usage: unknownUsage,
    provenance: null,
    ...parts,
  };
  if (completion.finish !== 'stop' || completion.text.trim() !== '') return completion;
  return { ...completion, finish: 'unreadable' };
}
