import type { EnvironmentSpec } from '../../../schemas/environment.ts';

/** Where a box has its folders, as commands in it see them. */
export type Places = {
  readonly workdir: string;
  readonly outside: string;
  readonly deps: string;
  readonly home: string;
  readonly tmp: string;
  /** Folders with the tools, in the order of a search. */
  readonly path: readonly string[];
};

/** The same everywhere, so that a run depends on nothing that this machine happens to be. */
const PINNED = {
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  CI: '1',
  NO_COLOR: '1',
  SOURCE_DATE_EPOCH: '1700000000',
};

/** Put the box's folders for `{deps}` and `{workdir}`. */
export const placed = (text: string, places: Places): string =>
  text.replaceAll('{deps}', places.deps).replaceAll('{workdir}', places.workdir);

/** What every program needs to start. */
export const startEnv = ({ path, home, tmp }: Places): Record<string, string> => ({
  PATH: path.join(':'),
  HOME: home,
  TMPDIR: tmp,
});

/** The whole environment of a command: pins, then the spec's own, then the call's. Nothing of the host's. */
export function boxEnv(
  spec: Pick<EnvironmentSpec, 'env' | 'paths'>,
  places: Places,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = Object.entries(spec.env).map(([name, value]) => [name, placed(value, places)]);
  const paths = spec.paths
    .map((path) => placed(path, places))
    .map((path) => (path.startsWith('/') ? path : `${places.workdir}/${path}`));
  const start = startEnv({ ...places, path: [...paths, ...places.path] });
  return { ...PINNED, ...start, ...Object.fromEntries(own), ...extra };
}

const FOR_INSTALL =
  /^(PIP_\w+|UV_\w+|GO(PROXY|SUMDB|NOPROXY|NOSUMDB|PRIVATE|INSECURE)|CARGO_(HTTP_\w+|NET_\w+|REGISTRIES_\w+_INDEX)|NPM_CONFIG_(REGISTRY|CA|CAFILE|PROXY|HTTPS_PROXY|NOPROXY|STRICT_SSL|USERCONFIG|GLOBALCONFIG|FETCH_\w+)|https?_proxy|no_proxy|all_proxy|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)$/i;

/**
 * What install steps may know of the host: how to reach its registries. Tokens in other variables stay out, and so
 * do the settings that npm gives every script it runs, since they name folders of another project.
 */
export const installEnv = (host: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(host).filter(([name]) => FOR_INSTALL.test(name)));
