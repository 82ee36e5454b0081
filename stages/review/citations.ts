/** A quote counts when it stands in the named document, byte for byte, exactly once, and is long enough to mean something. */
export function isVerbatim(quote: string, text: string | undefined): boolean {
  if (text === undefined || quote.includes('…') || quote.length > 400) return false;
  const isWord = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(quote);
  if (quote.length < 12 && !isWord) return false;
  const first = text.indexOf(quote);
  return first !== -1 && text.indexOf(quote, first + 1) === -1;
}
