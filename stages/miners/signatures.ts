import type { Doc } from './docs.ts';
import { codeSpans, type Span } from './mask.ts';

const CALL = /^[\w$]+(?:\.[\w$]+)*\([^)]*\)(?:\s*(?:->|=>|:)\s*[\w<>[\]|., ]+)?$/;
const FLAG = /^--[a-z][\w-]+(?:[= ]\S+)?$/;

/** Code spans that declare a public form: a call with its parameters, a flag with its value. */
export function signaturesIn({ doc, text }: Doc): readonly Span[] {
  if (doc.startsWith('blob:')) return [];
  const isSignature = (code: string) => CALL.test(code) || FLAG.test(code);
  return codeSpans(text).filter(({ start, end }) => isSignature(text.slice(start, end)));
}
