import type { ReleaseInput } from '../../schemas/release-input.ts';
import { sha256 } from '../contract/canonical-json.ts';
import { auditText, inOrder } from './audit.ts';
import { bundleSha, graderBundle, lockText } from './bundle.ts';
import { readme } from './card-readme.ts';
import { commonRejections } from './check.ts';
import type { Exporter, ExportOptions } from './exporter.ts';
import { licences } from './licences.ts';
import { asciiJson, byText, utf8 } from './text.ts';

function manifest(inputs: readonly ReleaseInput[], options: ExportOptions): string {
  const audit = auditText(inputs);
  const value = {
    release: 'csw-release/1',
    name: options.release,
    version: options.version,
    org: options.org,
    split: options.split,
    generator: 'codespecweave',
    generator_version: options.generatorVersion,
    ledger_head: options.ledgerHead,
    audit_jsonl_sha256: sha256(audit),
    sources: [...new Set(inputs.map(({ source }) => source.name))].toSorted(byText),
    instances: inOrder(inputs).map((input) => ({
      instance_id: input.task.id,
      revision: input.task.revision,
      source: input.source.name,
      license: input.source.licence,
      lock_sha256: sha256(lockText(input)),
      grader_sha256: bundleSha(graderBundle(input, options)),
      image: options.images[input.task.id]?.environment ?? null,
    })),
  };
  return `${asciiJson(value, 2)}\n`;
}

/** What a release says of itself: card, licences, manifest and audit. */
export const card: Exporter = {
  format: 'card',
  check: commonRejections,
  *files(inputs, options) {
    yield { path: 'README.md', bytes: utf8(readme(inputs, options)) };
    yield { path: 'LICENSES.md', bytes: utf8(licences(inputs)) };
    yield { path: 'manifest.json', bytes: utf8(manifest(inputs, options)) };
    yield { path: 'audit.jsonl', bytes: utf8(auditText(inputs)) };
  },
};
