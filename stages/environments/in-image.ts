import { EnvironmentSpec } from '../../schemas/environment.ts';

const DEPS = '{deps}';

/** A list of folders without those that nothing was installed into. */
const withoutDeps = (folders: string) =>
  folders
    .split(':')
    .filter((folder) => !folder.includes(DEPS))
    .join(':');

/** The same tests in an image that brings all they need: nothing is installed, and nothing looked for where it would have been. */
export function inImage(spec: EnvironmentSpec, image: string): EnvironmentSpec {
  const env = Object.entries(spec.env).flatMap(([name, value]) => {
    if (!value.includes(DEPS)) return [[name, value]];
    const rest = name.endsWith('PATH') ? withoutDeps(value) : '';
    return rest === '' ? [] : [[name, rest]];
  });
  const paths = spec.paths.filter((path) => !path.includes(DEPS));
  return EnvironmentSpec.parse({
    ...spec,
    image,
    install: [],
    env: Object.fromEntries(env),
    paths,
  });
}
