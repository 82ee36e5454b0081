import { graphql } from '@octokit/graphql';
import { z } from 'zod';

/** One request over the wire: its data and what was wrong with parts of it, or why there is none. */
export type Wired =
  | { readonly kind: 'data'; readonly data: unknown; readonly errors: readonly PartError[] }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly message: string;
      readonly types: readonly string[];
      readonly headers: Readonly<Record<string, string>>;
    };

/** An error of one part of an answer, by its place. */
export type PartError = { readonly type: string; readonly path: string; readonly message: string };

export type Send = (query: string, variables: object, signal: AbortSignal) => Promise<Wired>;

const AGENT = 'codespecweave';
/** Longer than the host itself waits for an answer. */
const ANSWER_MS = 60_000;

const Headers = z.record(z.string(), z.union([z.string(), z.number()]).transform(String));
const PartErrors = z.array(
  z.object({
    type: z.string().optional(),
    path: z.array(z.union([z.string(), z.number()])).optional(),
    message: z.string().default(''),
    extensions: z.object({ code: z.string().optional() }).optional(),
  }),
);
/** What the client throws, whichever of its two errors it is. */
const Thrown = z.object({
  message: z.string(),
  status: z.number().optional(),
  headers: Headers.optional(),
  response: z.object({ headers: Headers.optional(), data: z.unknown().optional() }).optional(),
  errors: PartErrors.optional(),
  data: z.unknown().optional(),
});

const partsOf = (errors: z.infer<typeof PartErrors> = []): PartError[] =>
  errors.map(({ type, path = [], message, extensions }) => ({
    type: type ?? extensions?.code ?? '',
    path: path.join('.'),
    message,
  }));

const hasData = (data: unknown) =>
  typeof data === 'object' &&
  data !== null &&
  Object.entries(data).some(([name, value]) => name !== 'rateLimit' && value !== null);

function failureOf(error: unknown): Wired {
  const parsed = Thrown.safeParse(error);
  if (!parsed.success) throw error;
  const { message, status = null, headers, response, errors, data } = parsed.data;
  const parts = partsOf(errors);
  if (status === null && hasData(data)) return { kind: 'data', data, errors: parts };
  return {
    kind: 'failed',
    status,
    message: parts[0]?.message || message,
    types: parts.map(({ type }) => type),
    headers: { ...headers, ...response?.headers },
  };
}

/**
 * GitHub's GraphQL interface at an address. The token stands in one header and nowhere else: what the client throws holds the
 * request with all its headers, so none of it is passed on.
 */
export function openWire(endpoint: string, token: string): Send {
  const ask = graphql.defaults({
    baseUrl: endpoint.replace(/\/+$/u, '').replace(/\/graphql$/u, ''),
    headers: { authorization: `bearer ${token}`, 'user-agent': AGENT },
  });
  return async (query, variables, signal) => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    try {
      const data: unknown = await ask(query, { ...variables, request: { signal: patience } });
      return { kind: 'data', data, errors: [] };
    } catch (error) {
      signal.throwIfAborted();
      if (patience.aborted)
        return { kind: 'failed', status: 504, message: 'no answer', types: [], headers: {} };
      return failureOf(error);
    }
  };
}
