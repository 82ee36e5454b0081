import { SaxesParser } from 'saxes';

/** What a reader of XML is told; names as written, attributes decoded. */
export type XmlHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
};

/** `cut`: well-formed as far as it goes, and its end is missing. */
export type XmlEnd = { readonly end: 'whole' | 'cut' | 'bad'; readonly why: string };

const DEEPEST = 64;
const ESCAPE = String.fromCharCode(27);
const colours = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, 'g');
const isAllowed = (code: number) =>
  (code >= 32 && (code < 0xd800 || code > 0xdfff) && (code < 0xfffe || code > 0xffff)) ||
  [9, 10, 13].includes(code);

/** A reference to a character that XML does not allow is taken for that character. */
const plainReferences = (text: string) =>
  text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (reference, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (isAllowed(code)) return reference;
    return code < 32 ? String.fromCharCode(code) : '\ufffd';
  });

/** Runners put colours and control characters where XML allows none, raw or as a reference. */
const allowed = (text: string) =>
  plainReferences(text)
    .replace(colours, '')
    .replace(/(?![\t\n\r])\p{Cc}|\ufffe|\uffff/gu, '\ufffd');

const whyOf = (error: unknown) =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

/**
 * Read a document, telling of each part as it comes. No entity but XML's own five is known and a document type is refused,
 * so nothing grows; depth is bounded. Never throws.
 */
export function readXml(text: string, handler: XmlHandler): XmlEnd {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  parser.on('doctype', () => {
    throw new Error('a document type is declared');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > DEEPEST) throw new Error(`elements are nested more than ${DEEPEST} deep`);
    handler.open(name, attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    handler.close(name);
  });
  parser.on('text', handler.text);
  parser.on('cdata', handler.text);
  try {
    parser.write(allowed(text));
  } catch (error) {
    return { end: 'bad', why: whyOf(error) };
  }
  try {
    parser.close();
  } catch (error) {
    return { end: 'cut', why: whyOf(error) };
  }
  return { end: 'whole', why: '' };
}
