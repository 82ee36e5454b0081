import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { pathProblem } from '../../pipeline/release/sums.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import type { Exporter, ExportFile } from '../../stages/exporters/exporter.ts';
import { releaseOptions } from '../support/release.ts';

const textOf = ({ bytes }: ExportFile) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const named = (files: readonly ExportFile[], pattern: RegExp) =>
  files.filter(({ path }) => pattern.test(path));

/** What every format owes its readers. `input` tells of one accepted task. */
export function describeExporter(exporter: Exporter, story: () => ReleaseInput): void {
  const twin = (): ReleaseInput => ({
    ...story(),
    task: { ...story().task, id: 'acme-limiter.2' },
  });
  const filesOf = (inputs: readonly ReleaseInput[], options = releaseOptions()) => [
    ...exporter.files(inputs, options),
  ];

  test('it refuses nothing of a sound task', () => {
    expect(exporter.check(story(), releaseOptions())).toEqual([]);
  });

  test('it refuses a source without a licence', () => {
    const unlicensed = { ...story(), source: { ...story().source, licence: null } };
    const codes = exporter.check(unlicensed, releaseOptions()).map(({ code }) => code);
    expect(codes).toEqual(['licence-missing']);
  });

  test('the same tasks in another order are the same bytes', () => {
    const files = filesOf([story(), twin()]);
    expect(files).toEqual(filesOf([twin(), story()]));
    expect(files).toEqual(filesOf([story(), twin()]));
  }, 30_000);

  test('every path is plain and occurs once', () => {
    const paths = filesOf([story(), twin()]).map(({ path }) => path);
    expect(paths.filter((path) => pathProblem(path) !== null)).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('scripts are executable and hold no CR', () => {
    const scripts = named(filesOf([story()]), /(?<!hidden\/.*)\.sh$/);
    const bad = scripts.filter((file) => file.exec !== true || textOf(file).includes('\r'));
    expect(bad.map(({ path }) => path)).toEqual([]);
  });

  test('rows are ASCII lines of JSON', () => {
    for (const file of named(filesOf([story(), twin()]), /\.jsonl$/)) {
      expect(textOf(file)).toMatch(/^(?:[\x20-\x7e]+\n)+$/);
      for (const line of textOf(file).trimEnd().split('\n')) JSON.parse(line);
    }
  });

  test('every TOML and YAML file is read by an ordinary reader', () => {
    const files = filesOf([story()]);
    for (const file of named(files, /\.toml$/))
      expect(parseToml(textOf(file))).toBeTypeOf('object');
    for (const file of named(files, /\.yaml$/))
      expect(parseYaml(textOf(file))).toBeTypeOf('object');
  });
}
