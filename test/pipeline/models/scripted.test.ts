import { expect, test } from 'vitest';
import { scripted } from '../../../pipeline/models/scripted.ts';
import { modelRequest } from '../../support/model-request.ts';

const never = new AbortController().signal;

test('a list is given in order, then names what it had no answer for', async () => {
  const model = scripted({ answers: ['one', { text: 'tw', finish: 'length' }] });
  expect(await model.complete(modelRequest(), never)).toMatchObject({ text: 'one' });
  expect(await model.complete(modelRequest(), never)).toMatchObject({ finish: 'length' });
  await expect(model.complete(modelRequest(), never)).rejects.toMatchObject({
    code: 'script-dry',
    message: expect.stringContaining('solver "reader" on "limiter", asked "Add a burst."'),
  });
});

test('a function answers by the request, and null is dry', async () => {
  const model = scripted({
    answers: ({ role }: { role: string }) => (role === 'solver' ? 'solved' : null),
  });
  expect(await model.complete(modelRequest(), never)).toMatchObject({ text: 'solved' });
  const reviewing = model.complete(modelRequest({ role: 'reviewer' }), never);
  await expect(reviewing).rejects.toMatchObject({ code: 'script-dry' });
});
