import { readFileSync } from 'node:fs';
import { sha256 } from '../contract/canonical-json.ts';

const names = [
  'solve-edits',
  'solve-body',
  'solo',
  'review',
  'repair-test',
  'repair-statement',
  'prove-edits',
  'prove-body',
  'shell-turn',
  'draft-plan',
  'draft-plan-again',
  'draft-work',
  'draft-revise',
] as const;

export type PromptName = (typeof names)[number];

/** Several texts under one heading, such as files by path. */
type Labelled = { readonly label: string; readonly text: string };

/** What fills a prompt: one text or several. All of it is untrusted and ends up quoted. */
export type PromptValues = Readonly<Record<string, string | readonly Labelled[]>>;

/** Prompts are data beside this file, read once when it is loaded. */
const texts = new Map(
  names.map((name) => [name, readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8')]),
);

function textOf(name: PromptName): string {
  const text = texts.get(name);
  if (text === undefined) throw new Error(`prompt "${name}" is not registered`);
  return text;
}

/** The SHA-256 of a prompt's own text, before any value enters it. */
export const promptSha = (name: PromptName): string => sha256(textOf(name));

/** A mark that the text cannot contain, so that no text can close its own block. Equal texts have equal marks. */
function markFor(text: string): string {
  const digest = sha256(text);
  for (let length = 12; length <= digest.length; length += 4) {
    if (!text.includes(digest.slice(0, length))) return digest.slice(0, length);
  }
  throw new Error('prompt failed: a text contains its own digest');
}

function quoted(text: string, label: string | null): string {
  if (text === '' && label === null) return '(none)';
  const mark = markFor(text);
  const title = label === null ? '' : ` ${JSON.stringify(label)}`;
  return `<quoted ${mark}${title}>\n${text}\n</quoted ${mark}>`;
}

function blocks(value: string | readonly Labelled[]): string {
  if (typeof value === 'string') return quoted(value, null);
  if (value.length === 0) return '(none)';
  return value.map(({ label, text }) => quoted(text, label)).join('\n\n');
}

const place = /^\{\{([a-z-]+)\}\}$/gmu;

/**
 * A prompt with its values, each as a marked and quoted block: text from threads and repositories never becomes an instruction.
 * Throws when a value is missing or has no place, since a prompt that silently lacks its task would still be answered.
 */
export function renderPrompt(name: PromptName, values: PromptValues): string {
  const text = textOf(name);
  const places = [...text.matchAll(place)].map((match) => match[1] ?? '');
  const missing = places.filter((key) => values[key] === undefined);
  const extra = Object.keys(values).filter((key) => !places.includes(key));
  if (missing.length + extra.length > 0) {
    throw new Error(
      `prompt "${name}" failed: missing [${missing.join(', ')}], without a place [${extra.join(', ')}]`,
    );
  }
  return text.replace(place, (_, key: string) => blocks(values[key] ?? ''));
}
