import type { PatchBytes, ReleaseInput } from '../../schemas/release-input.ts';
import type { SwebenchRow } from '../../schemas/swebench-row.ts';
import { inOrder } from './audit.ts';
import { classicColumns } from './bench-row.ts';
import { baseTar, discardGlobs, graderBundle } from './bundle.ts';
import { commonRejections, rowRejections } from './check.ts';
import type { Exporter, ExportFile, ExportOptions } from './exporter.ts';
import { environmentDockerfile } from './image.ts';
import { collectScript, evalScript } from './scripts.ts';
import { asciiJson, fromBase64, utf8 } from './text.ts';

function rowOf(input: ReleaseInput, options: ExportOptions): SwebenchRow {
  const row = classicColumns(input, options);
  return {
    ...row,
    image_unpinned: row.image === null,
    schema: 'csw-bench/1',
    license: input.source.licence,
    split: options.split,
  };
}

/** The name that `swebench dataset check` derives from an id and accepts no other. */
const derivedImage = (id: string): string =>
  `swebench/sweb.eval.x86_64.${id}:latest`.toLowerCase().replaceAll('__', '_1776_');

/** A YAML mapping of plain keys; JSON strings are YAML strings, and quoting all of them leaves no `no` to be a boolean. */
const yaml = (values: Readonly<Record<string, unknown>>): Uint8Array =>
  utf8(
    Object.entries(values)
      .map(([key, value]) => `${key}: ${asciiJson(value)}\n`)
      .join(''),
  );

/** The bytes of a patch, whichever way it travelled. */
export const patchBytes = (patch: PatchBytes): Uint8Array =>
  'text' in patch ? utf8(patch.text) : fromBase64(patch.base64);

function taskFiles(input: ReleaseInput, options: ExportOptions): ExportFile[] {
  const row = rowOf(input, options);
  const { FAIL_TO_PASS, PASS_TO_PASS, instance_id, repo, version, base_commit, split } = row;
  const dataset = `${options.org}/${options.release}`;
  const meta = {
    instance_id,
    repo,
    version,
    base_commit,
    environment_setup_commit: row.environment_setup_commit,
    created_at: row.created_at,
    base_patch: row.base_patch,
    language: row.language,
    license: row.license,
    split,
    datasets: [dataset],
    image: derivedImage(instance_id),
    log_parser: row.log_parser,
    eval_type: row.eval_type,
  };
  const files: Record<string, Uint8Array> = {
    'task.yaml': yaml(meta),
    'tests.json': utf8(`${asciiJson({ FAIL_TO_PASS, PASS_TO_PASS }, 2)}\n`),
    'problem_statement.md': utf8(row.problem_statement),
    'gold.patch': patchBytes(input.patches.gold),
    'test.patch': patchBytes(input.patches.test),
    'eval.sh': utf8(row.eval_script),
    Dockerfile: utf8(environmentDockerfile(input)),
    'base.tar': baseTar(input),
    'collect.sh': utf8(collectScript(discardGlobs(input))),
  };
  return Object.entries(files).map(([name, bytes]) => ({
    path: `swebench/tasks/${instance_id}/${name}`,
    bytes,
    exec: name.endsWith('.sh'),
  }));
}

/** Rows and a task repository for the harness of SWE-bench 5. */
export const swebench: Exporter = {
  format: 'swebench',
  check: (input, options) => [
    ...commonRejections(input, options),
    ...rowRejections(input, evalScript(graderBundle(input, options))),
  ],
  *files(inputs, options) {
    const ordered = inOrder(inputs);
    const rows = ordered.map((input) => `${asciiJson(rowOf(input, options))}\n`);
    yield { path: 'swebench/data.jsonl', bytes: utf8(rows.join('')) };
    const config = { datasets: [`${options.org}/${options.release}`], splits: [options.split] };
    yield { path: 'swebench/sweb.yaml', bytes: yaml(config) };
    for (const input of ordered) yield* taskFiles(input, options);
  },
};
