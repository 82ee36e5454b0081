/** @module-tag docker */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildEnvironmentImage } from '../../../pipeline/images/environment-image.ts';
import { listOwnImages, pruneImages } from '../../../pipeline/images/prune.ts';
import { openLedger } from '../../../pipeline/ledger/open.ts';
import { openImageStore } from '../../../pipeline/sandboxes/docker/image-store.ts';
import { EnvironmentSpec } from '../../../schemas/environment.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { inImage } from '../../../stages/environments/in-image.ts';
import { buildAndRun, detectedSpec, projectTree } from '../../support/environment-project.ts';
import { realClock } from '../../support/real-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();

function dockerfile(...lines: string[]): string {
  const file = join(tempFolder(), 'Dockerfile');
  writeFileSync(file, ['FROM csw-base:latest', ...lines, ''].join('\n'));
  return file;
}

const built = (file: string, log: string[] = []) =>
  buildEnvironmentImage({ file, log: (line) => log.push(line), signal, host: {} });

/** A module that every file of the tree finds at the root, as an image has to bring it. */
const IS_NUMBER = [
  'RUN mkdir -p /node_modules/is-number && cd /node_modules/is-number \\',
  ` && echo '{"name":"is-number","version":"7.0.0"}' > package.json \\`,
  ` && echo 'module.exports = (word) => typeof word === "number";' > index.js`,
];

test('a Dockerfile becomes an image named by its content, in which the tests of a tree run', async () => {
  const file = dockerfile(...IS_NUMBER);
  const image = await built(file);
  expect(image.name).toMatch(/^csw-env:[0-9a-f]{16}$/);
  expect(await built(file)).toEqual({ ...image, isNew: false });
  const tree = projectTree('node-npm');
  const result = await buildAndRun(tree, inImage(detectedSpec(tree), image.name), 'docker', {});
  expect(result.report.results.map(({ status }) => status)).toEqual([
    'passed',
    'skipped',
    'failed',
  ]);
});

test('a step that fails is told with its last lines', async () => {
  const log: string[] = [];
  const step = 'RUN echo first && echo second && exit 7';
  await expect(built(dockerfile(step), log)).rejects.toMatchObject({
    code: 'env-build-failed',
    message: expect.stringMatching(
      /^Environment image failed at "RUN echo first .*": .*first \| second \| .*returned a non-zero code: 7\. Mend Dockerfile and try again\.$/,
    ),
  });
  expect(log).toContain('second');
});

test('a Dockerfile that cannot be read fails before its first step', async () => {
  const file = join(tempFolder(), 'Dockerfile');
  writeFileSync(file, 'NOTHING\n');
  await expect(built(file)).rejects.toMatchObject({
    code: 'env-build-failed',
    message: expect.stringMatching(
      /^Environment image failed at "reading the Dockerfile": .*NOTHING/,
    ),
  });
});

test('prune removes our images that no run was prepared in, and no other', async () => {
  const [used, unused] = [
    await built(dockerfile(`ENV CSW_TEST ${randomUUID()}`)),
    await built(dockerfile(`ENV CSW_TEST ${randomUUID()}`)),
  ];
  const out = tempFolder();
  const ledger = openLedger({ folder: join(out, 'one'), mode: 'write', clock: realClock });
  const spec = EnvironmentSpec.parse({
    ...{ environment: 1, language: 'javascript', runner: 'node-test', image: used.name },
    ...{ testFiles: ['**'], sourceFiles: ['**'] },
  });
  const digest = sha256('environment');
  const parts = { spec, sandbox: 'docker', digest, tools: [], handle: used.id };
  const prepared = { ready: true, environment: parts };
  const body = { spec, tree: sha256('tree'), prepared };
  ledger.note({ kind: 'environment-prepared', record: null, key: 'a', body });
  ledger.close();
  const wanted = { out, clock: realClock, host: {} };
  const names = (await pruneImages({ ...wanted, among: [used.name, unused.name] })).flatMap(
    (image) => image.names,
  );
  expect(names).toContain(unused.name);
  expect(names).not.toContain(used.name);
  const left = await listOwnImages(wanted);
  expect(left.find(({ id }) => id === used.id)).toMatchObject({ isUsed: true });
  expect(left.some((image) => image.names.includes('csw-base:latest'))).toBe(true);
  await (await openImageStore({})).remove(used.name);
});
