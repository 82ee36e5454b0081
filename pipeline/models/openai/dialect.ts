import type { z } from 'zod';
import type { Structured } from './options.ts';

/** What one endpoint was found to understand. It is learnt once and kept for the life of the adapter. */
export type Dialect = {
  readonly format: Exclude<z.infer<typeof Structured>, 'auto'>;
  readonly streamUsage: boolean;
  readonly cap: 'max_completion_tokens' | 'max_tokens';
};

/** The hosted service refuses the old name of the cap; local servers may pass over the new one in silence. */
export function firstDialect(structured: z.infer<typeof Structured>, baseUrl: string): Dialect {
  const hosted = /^https:\/\/([^/]+\.)?openai\.com\//.test(baseUrl);
  return {
    format: structured === 'auto' ? 'json_schema' : structured,
    streamUsage: true,
    cap: hosted ? 'max_completion_tokens' : 'max_tokens',
  };
}

type Refusal = { readonly status: number | undefined; readonly text: string };

const refusing = new Set([400, 404, 405, 415, 422, 501]);

function simplerFormat(dialect: Dialect): Dialect | null {
  if (dialect.format === 'json_schema') return { ...dialect, format: 'json_object' };
  if (dialect.format === 'json_object') return { ...dialect, format: 'none' };
  return null;
}

function otherCap(dialect: Dialect): Dialect | null {
  if (dialect.cap === 'max_tokens') return { ...dialect, cap: 'max_completion_tokens' };
  return { ...dialect, cap: 'max_tokens' };
}

/**
 * The dialect to try after a refusal that names one of our optional fields, or null when it names none.
 * An order of simplification, so that the caller's loop ends; `cap` alone can go both ways and is tried once.
 */
export function simpler(
  dialect: Dialect,
  { status, text }: Refusal,
  mayChangeFormat: boolean,
): Dialect | null {
  if (status === undefined || !refusing.has(status)) return null;
  if (dialect.streamUsage && /stream_options|include_usage/i.test(text)) {
    return { ...dialect, streamUsage: false };
  }
  if (mayChangeFormat && /response_format|json_schema|json_object|structured.?output/i.test(text)) {
    return simplerFormat(dialect);
  }
  return text.includes(dialect.cap) ? otherCap(dialect) : null;
}
