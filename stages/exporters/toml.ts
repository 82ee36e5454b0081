/** What a TOML value may be here. A number is written as a float when its key ends in `_sec`, else as an integer. */
type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable;
/** A table by key, in writing order; null and undefined are left out, for TOML has no null. */
export type TomlTable = { readonly [key: string]: TomlValue | null | undefined };

const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON's escapes are TOML's, but TOML also forbids a raw U+007F; ASCII keeps every reader's encoding out of it. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u{10ffff}]/gu, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

const keyText = (key: string) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key));

function numberText(key: string, value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`TOML failed: ${key} is not finite`);
  if (!Number.isInteger(value)) return String(value);
  return key.endsWith('_sec') ? `${value}.0` : String(value);
}

function inline(key: string, value: TomlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberText(key, value);
  if (!isTable(value)) return `[${value.map((item) => inline(key, item)).join(', ')}]`;
  const members = present(value).map(([name, item]) => `${keyText(name)} = ${inline(name, item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function present(table: TomlTable): [string, TomlValue][] {
  return Object.entries(table).flatMap(([key, value]): [string, TomlValue][] =>
    value === null || value === undefined ? [] : [[key, value]],
  );
}

/**
 * A TOML document: plain root keys, then one `[table]` for each root table, everything deeper inline.
 * Root keys must stand before the first table, so they are written first whatever their order.
 */
export function toml(root: TomlTable): string {
  const members = present(root);
  const lines = members
    .filter(([, value]) => !isTable(value))
    .map(([key, value]) => `${keyText(key)} = ${inline(key, value)}`);
  for (const [key, value] of members) {
    if (!isTable(value)) continue;
    lines.push('', `[${keyText(key)}]`);
    for (const [name, item] of present(value))
      lines.push(`${keyText(name)} = ${inline(name, item)}`);
  }
  return `${lines.join('\n')}\n`;
}
