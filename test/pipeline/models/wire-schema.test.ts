import { expect, test } from 'vitest';
import { z } from 'zod';
import { isStrict, wireSchema } from '../../../pipeline/models/openai/wire-schema.ts';

const Finding = z.discriminatedUnion('side', [
  z.strictObject({ side: z.literal('FP'), test: z.string() }),
  z.strictObject({ side: z.literal('FN'), quotes: z.array(z.string()).max(3) }),
]);
const Answer = z.strictObject({ oneOf: z.string().nullable(), findings: z.array(Finding) });

test('the schema that goes over the wire is this one', () => {
  expect(wireSchema(z.toJSONSchema(Answer))).toMatchInlineSnapshot(`
    {
      "additionalProperties": false,
      "properties": {
        "findings": {
          "items": {
            "anyOf": [
              {
                "additionalProperties": false,
                "properties": {
                  "side": {
                    "const": "FP",
                    "type": "string",
                  },
                  "test": {
                    "type": "string",
                  },
                },
                "required": [
                  "side",
                  "test",
                ],
                "type": "object",
              },
              {
                "additionalProperties": false,
                "properties": {
                  "quotes": {
                    "items": {
                      "type": "string",
                    },
                    "maxItems": 3,
                    "type": "array",
                  },
                  "side": {
                    "const": "FN",
                    "type": "string",
                  },
                },
                "required": [
                  "side",
                  "quotes",
                ],
                "type": "object",
              },
            ],
          },
          "type": "array",
        },
        "oneOf": {
          "type": [
            "string",
            "null",
          ],
        },
      },
      "required": [
        "oneOf",
        "findings",
      ],
      "type": "object",
    }
  `);
});

test.each([
  ['closed objects that require all they name', Answer, true],
  ['an optional field', z.strictObject({ a: z.string().optional() }), false],
  ['an open object, deep inside', z.strictObject({ a: z.array(z.looseObject({})) }), false],
  ['a record', z.strictObject({ a: z.record(z.string(), z.string()) }), false],
])('strict mode and %s', (_what, schema, strict) => {
  expect(isStrict(wireSchema(z.toJSONSchema(schema)))).toBe(strict);
});
