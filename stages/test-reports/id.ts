const ESCAPE = String.fromCharCode(27);
const colours = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, 'g');

/**
 * A test's id as every list spells it: NFC, one line, blanks folded, without colours, addresses and a duration at its end.
 * Idempotent. The reporters in pipeline/runs/reporters apply the same rules inside the box.
 */
export const normaliseId = (text: string): string =>
  text
    .replace(colours, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/\b0x[0-9a-f]{6,}\b/gi, '0x')
    .trim()
    .replace(/(?: \(\d+(?:\.\d+)? ?(?:ns|us|µs|ms|s|m|min)\))+$/u, '');
