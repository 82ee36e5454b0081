import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { ModelRequest } from '../../schemas/completion.ts';
import type { Model } from '../../stages/context.ts';
import { modelRequest } from '../support/model-request.ts';

/** Opens a provider whose other side answers `request` with this text, cut at its cap where `finish` says so. */
export type Answering = (
  request: ModelRequest,
  text: string,
  finish?: 'length',
) => Promise<Model> | Model;

/** A secret that lies where the provider could pick it up. */
export const planted = 'planted-secret-0123456789';

const request = modelRequest();
const never = new AbortController().signal;

/** What every provider must do. A new adapter is correct when this suite passes. */
export function conformsAsModel(answering: Answering): void {
  const answered = async (text: string, finish?: 'length') =>
    (await answering(request, text, finish)).complete(request, never);

  test('gives the whole answer and says that it is whole', async () => {
    expect(await answered('Ein Wort: ☃\n')).toMatchObject({
      text: 'Ein Wort: ☃\n',
      finish: 'stop',
    });
  });

  test('gives the same answer to the same request', async () => {
    const model = await answering(request, 'a');
    const first = await model.complete(request, never);
    expect(await model.complete(request, never)).toEqual(first);
  });

  test('does not call an empty answer a success', async () => {
    const ended = await answered(' \n').then(
      ({ finish }) => finish,
      ({ code }) => code,
    );
    expect(ended).not.toBe('stop');
    expect(ended).toEqual(expect.any(String));
  });

  test('counts no tokens that nobody counted', async () => {
    const { usage } = await answered('a');
    expect(usage).toEqual({ input: null, cachedInput: null, output: null, reasoning: null });
  });

  test('says who was asked, and through what', async () => {
    const completion = await answered('a');
    expect(completion.modelRequested).not.toBe('');
    expect(completion.fromReasoning).toBe(false);
  });

  test('returns at once when the run is cancelled', async () => {
    const model = await answering(request, 'a');
    const cancelled = model.complete(request, AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('shows no secret in an answer', async () => {
    expect(inspect(await answered('a'), { depth: 9 })).not.toContain(planted);
  });
}

/** For providers that can be cut: the answer is given and says so. */
export function saysWhenCut(answering: Answering): void {
  test('says of a cut answer that it is cut, and keeps it', async () => {
    const model = await answering(request, '{"a": "b', 'length');
    const completion = await model.complete(request, never);
    expect(completion).toMatchObject({ text: '{"a": "b', finish: 'length' });
  });
}
