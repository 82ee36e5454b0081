import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReport, reportFormats } from '../../../../stages/test-reports/formats/registry.ts';
import { normaliseId } from '../../../../stages/test-reports/id.ts';
import { formatFixtures } from '../../../support/format-fixtures.ts';

const passedOf = (results: readonly { id: string; status: string }[]) =>
  results.filter(({ status }) => status === 'passed').map(({ id }) => id);

/** Between two packages or binaries nothing in the stream tells that more were to come; the tests are missing then. */
const hasNoEnd = new Set(['go-json', 'cargo-text']);

describe.each(formatFixtures)('$format: $name', ({ format, files, context, reading }) => {
  test('says of each test what its runner said', () => {
    const { status, problem, results } = readReport(format, files, context);
    const said = Object.fromEntries(results.map((one) => [one.id, one.status]));
    expect({ status, problem, results: said }).toEqual(reading);
    expect(results).toHaveLength(Object.keys(reading.results).length);
  });

  test('gives ids that are sorted, whole, and the same wherever the tree lies', () => {
    const elsewhere = files.map(({ path, bytes }) => {
      const text = new TextDecoder().decode(bytes).replaceAll(context.root, '/some where/else');
      return { path, bytes: new TextEncoder().encode(text) };
    });
    const ids = readReport(format, files, context).results.map(({ id }) => id);
    const moved = readReport(format, elsewhere, { ...context, root: '/some where/else' });
    expect(ids).toEqual(ids.toSorted());
    expect(ids.map(normaliseId)).toEqual(ids);
    expect(ids.join('\n')).not.toMatch(/\/tmp|file:/);
    expect(moved.results.map(({ id }) => id)).toEqual(ids);
  });

  test('cut anywhere, it passes nothing that did not, and is completed only with every test', () => {
    const all = readReport(format, files, context).results;
    const whole = new Set(passedOf(all));
    const at = fc.record({
      file: fc.nat(files.length - 1),
      share: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    });
    const isKept = fc.property(at, ({ file, share }) => {
      const cut = files.map(({ path, bytes }, index) => ({
        path,
        bytes: index === file ? bytes.subarray(0, Math.floor(bytes.length * share)) : bytes,
      }));
      const { status, results } = readReport(format, cut, context);
      const isAll = status !== 'completed' || results.length === all.length;
      return passedOf(results).every((id) => whole.has(id)) && (isAll || hasNoEnd.has(format));
    });
    fc.assert(isKept, { numRuns: 60 });
  });

  test('with any bytes changed it is read without an exception', () => {
    const change = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    const isRead = fc.property(change, (changes) => {
      const spoiled = files.map(({ path, bytes }) => ({ path, bytes: bytes.slice() }));
      for (const [at, value] of changes) {
        const bytes = spoiled[at % spoiled.length]?.bytes;
        if (bytes !== undefined) bytes[at % bytes.length] = value;
      }
      return readReport(format, spoiled, context).status !== undefined;
    });
    fc.assert(isRead, { numRuns: 40 });
  });
});

const here = { root: '/work', package: null };
const formats = Object.entries(reportFormats);

test.each(formats)(
  '%s: no bytes make it throw, and none are read as a test that passed',
  (_, read) => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
      fc.json().map((text) => new TextEncoder().encode(text)),
    );
    const isSilent = fc.property(fc.array(bytes, { maxLength: 3 }), (files) => {
      const { status, problem, results } = read(files, here);
      return passedOf(results).length === 0 && (status === 'completed') === (problem === null);
    });
    fc.assert(isSilent, { numRuns: 200 });
  },
);

test.each(formats)('%s: the report of another runner is never completed', (name, read) => {
  const kin = (format: string) => (format.endsWith('junit') ? 'junit' : format);
  const isSame = (format: string) =>
    kin(format) === kin(name) || (format.endsWith('t-json') && name.endsWith('t-json'));
  for (const { format, files } of formatFixtures.filter((one) => !isSame(one.format))) {
    const { status, results } = read(
      files.map(({ bytes }) => bytes),
      here,
    );
    expect(status, format).not.toBe('completed');
    expect(passedOf(results), format).toEqual([]);
  }
});
