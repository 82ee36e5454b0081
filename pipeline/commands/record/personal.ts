import type { Recording } from '../../../schemas/recording.ts';
import type { UsageProblem } from '../../config/usage-problem.ts';

const shapes: readonly (readonly [string, RegExp])[] = [
  ['an e-mail address', /[\w.+-]+@[\w-]+\.[a-z]{2,}/i],
  ['a login', /(^|[\s(])@[a-z0-9][\w-]*|github\.com\/\w/i],
  [
    'a token',
    /\b(sk|pk|rk)-[\w-]{12,}|\bgh[opsu]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[a-z]-[\w-]{10,}/,
  ],
  [
    'a token',
    /\bAKIA[0-9A-Z]{12,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.|\bBearer\s+\S{12,}|\b[0-9a-f]{32,}\b/i,
  ],
];

/** What of a person or an account a text gives away, or null. */
function personalIn(text: string): string | null {
  return shapes.find(([, shape]) => shape.test(text))?.[0] ?? null;
}

/** A problem for each field of provenance that names a person or a key; the value itself is not repeated. */
export function personalProblems(recordings: readonly Recording[]): UsageProblem[] {
  const fields = recordings.flatMap(({ requestSha256, completion, provenance }) =>
    [...Object.entries(provenance), ...Object.entries(completion.provenance ?? {})].map(
      ([name, value]) => ({ path: `${requestSha256} ${name}`, got: personalIn(value) }),
    ),
  );
  const found = new Map(fields.map(({ path, got }) => [path, got]));
  return [...found].flatMap(([path, got]) =>
    got === null
      ? []
      : [{ path, expected: 'a description such as "reader-1"', got, file: null, line: null }],
  );
}
