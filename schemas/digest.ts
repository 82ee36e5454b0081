import { z } from 'zod';

/** A SHA-256 in lower-case hex, without prefix. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/);
