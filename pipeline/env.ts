/** The value of a variable of the user's environment, or null; an empty one counts as missing. */
export function variable(name: string): string | null {
  const value = process.env[name];
  return value === undefined || value === '' ? null : value;
}

/** The whole environment of the user, for what we start on their behalf. */
export function hostEnvironment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
