import { z } from 'zod';

/** The schema below defaults, prefaults, nullables and optionals. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  return 'innerType' in def && def.innerType instanceof z.ZodType ? bare(def.innerType) : schema;
}

/** The option of a union that the value's own literals choose. */
function chosen(union: z.ZodDiscriminatedUnion, value: unknown): z.core.$ZodType | undefined {
  const { discriminator } = union.def;
  if (typeof value !== 'object' || value === null) return undefined;
  const name: unknown = Reflect.get(value, discriminator);
  return union.options.find(
    (option) =>
      option instanceof z.ZodObject &&
      option.shape[discriminator] instanceof z.ZodLiteral &&
      option.shape[discriminator].values.has(name as string),
  );
}

function below(
  schema: z.core.$ZodType,
  value: unknown,
  part: PropertyKey,
): z.core.$ZodType | undefined {
  const here = bare(schema);
  if (here instanceof z.ZodObject) return here.shape[String(part)];
  if (here instanceof z.ZodArray) return here.element;
  if (here instanceof z.ZodDiscriminatedUnion) {
    const option = chosen(here, value);
    return option === undefined ? undefined : below(option, value, part);
  }
  return undefined;
}

/** The keys that an object at a path of a value may have; empty where the schema does not say. */
export function keysAt(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): string[] {
  let at: z.core.$ZodType | undefined = schema;
  let held: unknown = value;
  for (const part of path) {
    at = at === undefined ? undefined : below(at, held, part);
    held = typeof held === 'object' && held !== null ? Reflect.get(held, part) : undefined;
  }
  const here = at === undefined ? undefined : bare(at);
  const object = here instanceof z.ZodDiscriminatedUnion ? chosen(here, held) : here;
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}
