import { expect, test } from 'vitest';
import { EnvironmentSpec } from '../../../schemas/environment.ts';
import { inImage } from '../../../stages/environments/in-image.ts';

test('an image installs nothing, and nothing is looked for in folders that were not filled', () => {
  const spec = EnvironmentSpec.parse({
    ...{ environment: 1, language: 'python', runner: 'pytest', testFiles: ['t/**'] },
    sourceFiles: ['src/**'],
    install: [['pip', 'install', 'x']],
    env: {
      PYTHONPATH: '{workdir}/src:{workdir}:{deps}/python',
      GOCACHE: '{deps}/go',
      MODE: 'test',
    },
    paths: ['{deps}/python/bin', 'tools'],
  });
  expect(inImage(spec, 'csw-env:abc')).toEqual({
    ...spec,
    image: 'csw-env:abc',
    install: [],
    env: { PYTHONPATH: '{workdir}/src:{workdir}', MODE: 'test' },
    paths: ['tools'],
  });
});
