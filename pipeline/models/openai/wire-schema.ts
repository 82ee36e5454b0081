import { z } from 'zod';

type Json = z.infer<typeof Json>;
const Json = z.record(z.string(), z.unknown());

/** Keywords whose members are named by us, not by JSON Schema. */
const namesOfOurs = new Set(['properties', '$defs', 'definitions', 'patternProperties']);

function rewritten(value: unknown, ours = false): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item));
  const node = Json.safeParse(value);
  if (!node.success) return value;
  const entries = Object.entries(node.data).map(([key, member]) => {
    if (ours) return [key, rewritten(member)];
    return [key === 'oneOf' ? 'anyOf' : key, rewritten(member, namesOfOurs.has(key))];
  });
  return Object.fromEntries(entries);
}

/** `oneOf` becomes `anyOf`, which is all that strict mode knows; the stages' own parser still tells the two apart. */
export function wireSchema(json: Json): Json {
  const { $schema: _dialect, ...rest } = json;
  return Json.parse(rewritten(rest));
}

function isClosed(node: Json): boolean {
  const named = Object.keys(Json.safeParse(node.properties).data ?? {});
  const required = new Set(z.array(z.string()).safeParse(node.required).data ?? []);
  return node.additionalProperties === false && named.every((name) => required.has(name));
}

/** Whether strict mode can take a schema: every object is closed and requires all that it names. */
export function isStrict(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isStrict);
  const node = Json.safeParse(value);
  if (!node.success) return true;
  if (node.data.type === 'object' && !isClosed(node.data)) return false;
  return Object.values(node.data).every(isStrict);
}
