import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { normaliseId } from '../../../stages/test-reports/id.ts';

const fileAt = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const fixture = fileAt('test/fixtures/reports/ids.json');
const vectors = z
  .array(z.tuple([z.string(), z.string()]))
  .parse(JSON.parse(readFileSync(fixture, 'utf8')));
const titles = vectors.map(([title]) => title);
const ids = vectors.map(([, id]) => id);

test.each(vectors)('%j has the id %j', (title, id) => {
  expect(normaliseId(title)).toBe(id);
});

test('an id has itself as its id', () => {
  const piece = fc.constantFrom(
    ' (1 ms)',
    '\u001b[1m',
    '\u0301',
    'e',
    ' ',
    '\n',
    '0xabcdef',
    '(',
    'x',
  );
  const title = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((all) => all.join('')),
  );
  fc.assert(fc.property(title, (text) => normaliseId(normaliseId(text)) === normaliseId(text)));
});

test("the reporters' own rules in JavaScript give the same ids", () => {
  const code = `import { idOf } from ${JSON.stringify(fileAt('pipeline/runs/reporters/stream.mjs'))};
    process.stdout.write(JSON.stringify(${JSON.stringify(titles)}.map(idOf)));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code]);
  expect(JSON.parse(said.toString())).toEqual(ids);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)("the reporters' own rules in Python give the same ids", () => {
  const code = `import json, sys; from report_stream import id_of
print(json.dumps([id_of(pair[0]) for pair in json.load(open(sys.argv[1]))]))`;
  const said = execFileSync('python3', ['-B', '-c', code, fixture], {
    cwd: fileAt('pipeline/runs/reporters'),
  });
  expect(JSON.parse(said.toString())).toEqual(ids);
});
