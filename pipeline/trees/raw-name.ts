import { isUtf8 } from 'node:buffer';

/** The text of a name's bytes; null where they are no UTF-8, since no text could name the file then. */
export const exactText = (name: Buffer): string | null =>
  isUtf8(name) ? name.toString('utf8') : null;

/** Bytes for people: everything outside printable ASCII spelled out. */
export const spelled = (name: Buffer): string =>
  name
    .toString('latin1')
    .replaceAll(
      /[^\x20-\x7e]/g,
      (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
