import { z } from 'zod';
import { ModelConfig, RunConfig } from '../../schemas/run-config.ts';
import { bare } from './schema-keys.ts';

/** Words that YAML 1.1 readers take for something else; they are quoted, and so is all that is not a plain word. */
const PLAIN = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z][\w.-]*$/i;

function scalar(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(scalar).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${scalar(member)}`);
  return `{${members.join(', ')}}`;
}

function commentOf(schema: z.core.$ZodType): string {
  const says = z.globalRegistry.get(schema)?.description ?? '';
  const inner = bare(schema);
  if (!(inner instanceof z.ZodEnum)) return says;
  return `${says} One of ${inner.options.join(', ')}.`;
}

function lines(schema: z.ZodObject, value: Record<string, unknown>, indent: string): string[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const inner = bare(field);
    const comment = `${indent}# ${commentOf(field)}`;
    const held = value[key];
    if (inner instanceof z.ZodObject && typeof held === 'object' && held !== null) {
      const below = lines(inner, { ...held }, `${indent}  `);
      return [...blank(indent), comment, `${indent}${key}:`, ...below];
    }
    const more = key === 'models' ? modelExamples() : [];
    return [...blank(indent), comment, `${indent}${key}: ${scalar(held)}`, ...more];
  });
}

const blank = (indent: string) => (indent === '' ? [''] : []);

function exampleOf(field: z.core.$ZodType): string {
  const meta = z.globalRegistry.get(field);
  const example: unknown = Array.isArray(meta?.examples) ? meta.examples[0] : undefined;
  if (example !== undefined) return scalar(example);
  const inner = bare(field);
  if (inner instanceof z.ZodLiteral) return scalar(inner.value);
  return scalar(field._zod.def.type === 'default' ? z.parse(field, undefined) : null);
}

/** One commented entry for each provider; without its first `# ` a line is YAML. */
function modelExamples(): string[] {
  return [
    '# Put entries like these in place of []:',
    ...ModelConfig.options.flatMap(({ shape }) =>
      Object.entries(shape).map(
        ([key, field], at) =>
          `# ${at === 0 ? '  - ' : '    '}${key}: ${exampleOf(field)}  # ${commentOf(field)}`,
      ),
    ),
  ];
}

/** The run file with every default written out, each under the sentence that its schema has for it. */
export function commentedConfig(): string {
  const head = [
    '# The run file of CodeSpecWeave. Every field stands here with its default; leave out what you do not change.',
  ];
  return `${[...head, ...lines(RunConfig, RunConfig.parse({}), '')].join('\n')}\n`;
}
