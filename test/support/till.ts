import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModelRequest } from '../../schemas/completion.ts';

/** The smallest pack that takes the whole chain; what stands in it was written for the tests. */
export const TILL = fileURLToPath(new URL('../fixtures/stories/till-counts-down', import.meta.url));

/** The authored answer of one of the story's models. */
export const answerOf = (name: string): string =>
  readFileSync(join(TILL, 'answers', `${name}.json`), 'utf8');

const names = ['oak', 'elm', 'reader', 'mender'] as const;

/** A run file for the story; `fields` say where its four models are. */
export function tillConfig(fields: string, synthesize = ''): string {
  const models = names.map(
    (name) => `  - {name: ${name}, family: ${name}, ${fields}, model: ${name}}`,
  );
  const noModel = (line: string) =>
    /openai/.test(fields) ? line : line.replace(/, model: \w+/, '');
  return [
    'sandbox: process',
    'models:',
    ...models.map(noModel),
    'roles: {solvers: [oak, elm], reviewer: reader, repairer: mender}',
    `synthesize: {mode: forward, batch: 1, repeats: 1, mutants_per_part: 0${synthesize}}`,
    '',
  ].join('\n');
}

/** Requests of a mailbox that nobody answered yet. */
export function openLetters(
  box: string,
): { readonly path: string; readonly request: ModelRequest }[] {
  if (!existsSync(box)) return [];
  return readdirSync(box)
    .filter((name) => name.endsWith('.request.json'))
    .map((name) => join(box, name))
    .filter((path) => !existsSync(path.replace('.request.', '.response.')))
    .map((path) => ({ path, request: ModelRequest.parse(JSON.parse(readFileSync(path, 'utf8'))) }));
}

/** Lays the authored answers down beside every open letter; says whom it answered for. */
export function layAnswers(box: string): string[] {
  return openLetters(box).map(({ path, request: { entrant } }) => {
    const reply = {
      answer: JSON.parse(answerOf(entrant)),
      answered_by: 'authored',
      answered_at: '2026-01-02T03:04:05Z',
    };
    writeFileSync(path.replace('.request.', '.response.'), JSON.stringify(reply));
    return entrant;
  });
}
