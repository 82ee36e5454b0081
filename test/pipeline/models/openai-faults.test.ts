import { expect, onTestFinished, test, vi } from 'vitest';
import { chunk, plain, refusal, streamed } from '../../support/model-server.ts';
import { serving } from '../../support/served-openai.ts';

const hang = () => undefined;

test.each([
  [401, { message: 'Bad key' }, { code: 'model-unavailable', retryable: false }],
  [404, { message: 'No such model' }, { code: 'model-unavailable', retryable: false }],
  [400, { message: 'Too long' }, { code: 'model-unavailable', retryable: false }],
  [503, { message: 'Overloaded' }, { code: 'model-unavailable', retryable: true }],
  [402, { message: 'Pay' }, { code: 'quota-exhausted', retryable: false }],
  [
    429,
    { message: 'Slow', code: 'rate_limit_exceeded' },
    { code: 'model-unavailable', retryable: true },
  ],
  [
    429,
    { message: 'Out', code: 'insufficient_quota' },
    { code: 'quota-exhausted', retryable: false },
  ],
])('status %i with %j is one request and a named fault', async (status, error, fault) => {
  const { complete, seen } = await serving({}, refusal(status, error));
  await expect(complete()).rejects.toMatchObject(fault);
  expect(seen).toHaveLength(1);
});

test.each([
  [{ 'retry-after': '90' }, 90_000],
  [{ 'retry-after-ms': '250' }, 250],
  [{}, null],
])('a 429 with %j asks to be left alone for %s ms', async (headers, retryAfterMs) => {
  const { complete } = await serving({}, refusal(429, { message: 'Slow' }, headers));
  await expect(complete()).rejects.toMatchObject({ retryAfterMs });
});

test('an error inside the stream is a fault', async () => {
  const error = { message: 'insufficient balance', code: 'insufficient_balance' };
  const { complete } = await serving({}, streamed(chunk({ content: 'a' }), { error }));
  await expect(complete()).rejects.toMatchObject({ code: 'quota-exhausted' });
});

test('a port where nobody listens is a retryable fault that names the endpoint', async () => {
  const options = { base_url: 'http://127.0.0.1:9/v1' };
  const { complete } = await serving(options, hang);
  await expect(complete()).rejects.toMatchObject({
    code: 'model-unavailable',
    retryable: true,
    message: expect.stringContaining('http://127.0.0.1:9/v1'),
  });
});

const answer = streamed(chunk({ content: '{"word":"a"}' }, 'stop'));

test('a server that refuses schemas is asked for JSON, then plainly, and this is remembered', async () => {
  const { complete, seen } = await serving(
    {},
    refusal(400, { message: "response_format 'json_schema' is not supported" }),
    refusal(422, { message: 'extra field: response_format' }),
    answer,
  );
  await complete();
  await complete();
  const formats = seen.map(({ body }) => JSON.parse(JSON.stringify(body.response_format ?? null)));
  expect(formats.map((format) => format?.type ?? null)).toEqual([
    'json_schema',
    'json_object',
    null,
    null,
  ]);
  expect(JSON.stringify(seen[2]?.body.messages)).toContain('must meet this JSON Schema');
});

test('a format set by hand is not given up in silence', async () => {
  const { complete, seen } = await serving(
    { structured: 'json_schema' },
    refusal(400, { message: 'response_format is not supported' }),
  );
  await expect(complete()).rejects.toMatchObject({
    message: expect.stringContaining('"structured"'),
  });
  expect(seen).toHaveLength(1);
});

test('R17: tokens are asked for in the stream, and not again where that is refused', async () => {
  const { complete, seen } = await serving(
    {},
    refusal(400, { message: 'stream_options: Extra inputs are not permitted' }),
    answer,
  );
  expect((await complete()).usage.input).toBeNull();
  expect(seen.map(({ body }) => body.stream_options)).toEqual([{ include_usage: true }, undefined]);
});

test('a server that knows the cap by its other name is asked by that', async () => {
  const { complete, seen } = await serving(
    { max_output_tokens: 77 },
    refusal(400, { message: "Unsupported parameter: 'max_tokens'" }),
    answer,
  );
  await complete();
  expect(seen[1]?.body).toMatchObject({ max_completion_tokens: 77 });
  expect(seen[1]?.body).not.toHaveProperty('max_tokens');
});

test('a server that refuses whatever is asked ends the negotiation', async () => {
  const message = 'stream_options response_format max_tokens max_completion_tokens';
  const { complete, seen } = await serving({}, refusal(400, { message }));
  await expect(complete()).rejects.toMatchObject({ code: 'model-unavailable' });
  expect(seen.length).toBeLessThanOrEqual(6);
});

test('a key that the server prints back stays out of faults and answers', async () => {
  const apiKey = 'planted-key-1234567890';
  const { complete } = await serving(
    { apiKey },
    refusal(401, { message: `Wrong key ${apiKey}` }),
    plain(200, `<p>${apiKey}</p>`),
  );
  const fault = await complete().catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Error);
  expect(inspected(fault)).not.toContain(apiKey);
  expect(JSON.stringify(await complete())).not.toContain(apiKey);
});

test('what the SDK would read from the environment does not reach a server', async () => {
  vi.stubEnv('OPENAI_ORG_ID', 'org-private');
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Private: yes');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { complete, seen } = await serving({ apiKey: 'k' }, answer);
  await complete();
  expect(seen[0]?.headers).not.toHaveProperty('openai-organization');
  expect(seen[0]?.headers).not.toHaveProperty('x-private');
  expect(seen[0]?.headers.authorization).toBe('Bearer k');
});

test('a redirect is not followed: prompts go to the endpoint that was named', async () => {
  const { complete, seen } = await serving({}, plain(307, '', { location: 'http://127.0.0.1:9/' }));
  await expect(complete()).rejects.toMatchObject({ retryable: false });
  expect(seen).toHaveLength(1);
});

/** Everything that printing an error with its causes could show. */
function inspected(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
  const own = JSON.stringify(Object.getOwnPropertyDescriptors(error));
  return `${error.stack}${own}${error.cause === undefined ? '' : inspected(error.cause)}`;
}
