// The one file that loads all test files of a run in one process. It lies beside the report, outside of the tree.
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const MARK = 'cannot be loaded: ';

/** Write the entry for these files and return its path. A file that cannot be loaded fails as a test of its own. */
export function entryFor(report, files) {
  const entry = join(dirname(report), 'together-entry.mjs');
  const named = files.map((file) => [file, pathToFileURL(resolve(file)).href]);
  const text = `import { test } from 'node:test';
for (const [file, url] of ${JSON.stringify(named)}) {
  try {
    await import(url);
  } catch (error) {
    test(${JSON.stringify(MARK)} + file, () => {
      throw error;
    });
  }
}
`;
  writeFileSync(entry, text);
  return entry;
}

/** The file that a failure of the entry speaks of, or null. */
export const failedFile = ({ name }) => (name.startsWith(MARK) ? name.slice(MARK.length) : null);
