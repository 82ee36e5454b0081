import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ModelRequest } from '../../../schemas/completion.ts';
import type { Dialect } from './dialect.ts';
import { isStrict, wireSchema } from './wire-schema.ts';

type Body = ChatCompletionCreateParamsStreaming;
type Schema = NonNullable<ModelRequest['schema']>;
type Endpoint = { readonly model: string; readonly max_output_tokens: number };

function formatOf(schema: Schema, format: Dialect['format']): Pick<Body, 'response_format'> {
  if (format === 'none') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const json = wireSchema(schema.json);
  // Servers refuse names with other characters, or with more than 64 of them.
  const name = schema.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name, schema: json, strict: isStrict(json) },
    },
  };
}

/** A server that is not told the schema by its own field is told by the last message; JSON mode also insists on the word. */
function messagesOf(request: ModelRequest, format: Dialect['format']): ModelRequest['messages'] {
  const last = request.messages.at(-1);
  if (request.schema === null || format === 'json_schema' || last === undefined) {
    return request.messages;
  }
  const shape = JSON.stringify(wireSchema(request.schema.json));
  const note = `Answer with one JSON value and nothing else. It must meet this JSON Schema:\n${shape}`;
  return [...request.messages.slice(0, -1), { ...last, content: `${last.content}\n\n${note}` }];
}

function capOf(request: ModelRequest, endpoint: Endpoint): number {
  const asked = request.parameters.max_output_tokens;
  return Math.min(endpoint.max_output_tokens, typeof asked === 'number' ? asked : Infinity);
}

/** What goes over the wire for a request, in the dialect that the endpoint understands. */
export function bodyOf(request: ModelRequest, endpoint: Endpoint, dialect: Dialect): Body {
  const { max_output_tokens: _cap, ...parameters } = request.parameters;
  return {
    ...parameters,
    model: endpoint.model,
    messages: messagesOf(request, dialect.format),
    [dialect.cap]: capOf(request, endpoint),
    stream: true,
    ...(dialect.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(request.schema === null ? {} : formatOf(request.schema, dialect.format)),
  };
}
