import { openai } from '../../pipeline/models/openai.ts';
import { modelRequest } from './model-request.ts';
import { modelServer, type Reply } from './model-server.ts';
import { realClock } from './real-clock.ts';

const never = new AbortController().signal;

const schema = {
  name: 'answer',
  json: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
};

/** A request for one object with one word. */
export const asked = modelRequest({ schema });

/** The openai adapter before a server that plays a script. */
export async function serving(options: object, ...script: Reply[]) {
  const server = await modelServer(...script);
  const model = openai({
    name: 'tiny',
    model: 'tiny',
    base_url: server.url,
    clock: realClock,
    idle_timeout_s: 5,
    ...options,
  });
  return {
    ...server,
    complete: (request = asked, signal = never) => model.complete(request, signal),
  };
}
